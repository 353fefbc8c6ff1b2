import { useEffect, useState } from "react";
import { api } from "./api";
import { store, stored } from "./theme";
import type { Model } from "./types";

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

/** The model of the next message; undefined while the server decides. */
export interface ModelChoice {
  models: readonly Model[];
  model: string | undefined;
  choose: (id: string) => void;
}

/** The last choice in this chat, which this browser stores. */
export function useModelChoice(chatId: string | null): ModelChoice {
  const models = useModels() ?? [];
  const key = `model:${chatId ?? "new"}`;
  const [chosen, setChosen] = useState({ key, id: stored(key) });
  useEffect(() => {
    if (chosen.key === key) return;
    const created = chosen.key === "model:new"; // the new chat got its id
    if (created) store(chosen.key, null);
    const id = stored(key) ?? (created ? chosen.id : null);
    store(key, id);
    setChosen({ key, id });
  }, [key, chosen]);
  const choose = (id: string) => {
    const value = id === "" ? null : id;
    store(key, value);
    setChosen({ key, id: value });
  };
  return { models, model: models.find((model) => model.id === chosen.id)?.id, choose };
}

/** Shown when there is a choice. Without one, the model of the agent or of the server answers. */
export function ModelPicker({ choice }: { choice: ModelChoice }) {
  const { models, model, choose } = choice;
  if (models.length < 2) return null;
  return (
    <select
      className="model-picker"
      aria-label="Model"
      title="The model that answers"
      value={model ?? ""}
      onChange={(event) => choose(event.target.value)}
    >
      <option value="">Default model</option>
      {models.map(({ id }) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </select>
  );
}
