import { useEffect, useState } from "react";
import { api } from "./api";
import { type Choice, Picker, useChoice } from "./choice";
import type { Agent, Model, ShownChat } from "./types";

/** The models that the server offers; null until they are known. */
export function useModels(): readonly Model[] | null {
  const [models, setModels] = useState<readonly Model[] | null>(null);
  useEffect(() => {
    api.models().then(
      (found) => setModels(found.models),
      () => setModels([]),
    );
  }, []);
  return models;
}

function useAgents(): readonly Agent[] {
  const [agents, setAgents] = useState<readonly Agent[]>([]);
  useEffect(() => {
    api.agents().then(
      (found) => setAgents(found.agents),
      () => setAgents([]),
    );
  }, []);
  return agents;
}

/** The agent and the model that a message names, if it changes those of its chat. */
export interface Named {
  agentId: string | undefined;
  model: string | undefined;
}

/** The agent and the model of the next message. */
export interface Choices {
  agents: readonly Agent[];
  models: readonly Model[];
  agent: Choice;
  model: Choice;
}

/** A chat that was just created has chosen nothing. */
export function useChoices(chatId: string | null, chat: ShownChat | null): Choices {
  return {
    agents: useAgents(),
    models: useModels() ?? [],
    agent: useChoice("agent", chatId, chat?.agentId),
    model: useChoice("model", chatId, chat?.model),
  };
}

/** Shown where there is something to choose. */
export function ChoicePickers({ choices }: { choices: Choices }) {
  const { agents, models, agent, model } = choices;
  return (
    <>
      {agents.length > 0 && <Picker label="Agent" title="The agent that answers" choice={agent} options={agents} />}
      {models.length > 1 && (
        <Picker
          label="Model"
          title="The model that answers"
          choice={model}
          options={models.map(({ id }) => ({ id, name: id }))}
        />
      )}
    </>
  );
}
