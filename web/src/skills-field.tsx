import { useEffect, useState } from "react";
import { PageLink } from "./sidebar";
import { skills } from "./skills";
import { showError } from "./toasts";
import type { Skill } from "./types";

/** A box for each skill. One that the agent names and that does not exist any more stays until it is unchecked. */
export function SkillsField({ chosen }: { chosen: readonly string[] }) {
  const [known, setKnown] = useState<Skill[] | null>(null);
  useEffect(() => {
    skills.list().then(setKnown, (error: unknown) => showError("The skills were not loaded.", error));
  }, []);
  const missing = known === null ? [] : chosen.filter((name) => !known.some((skill) => skill.name === name));
  return (
    <fieldset className="checks">
      <legend>
        Skills <small>instructions and scripts that it can read</small>
      </legend>
      {known === null && chosen.map((name) => <input key={name} type="hidden" name="skills" value={name} />)}
      {known?.map((skill) => (
        <label key={skill.name} title={skill.description}>
          <input type="checkbox" name="skills" value={skill.name} defaultChecked={chosen.includes(skill.name)} />
          {skill.name}
        </label>
      ))}
      {missing.map((name) => (
        <label key={name}>
          <input type="checkbox" name="skills" value={name} defaultChecked />
          {`${name} (does not exist any more)`}
        </label>
      ))}
      <PageLink to="/skills" className="link">
        All skills
      </PageLink>
    </fieldset>
  );
}
