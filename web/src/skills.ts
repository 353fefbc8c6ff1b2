import { getJson, request, sendJson } from "./api";
import type { Skill, SkillDetail } from "./types";

const ALL = "/api/skills";
const pathOf = (name: string) => `${ALL}/${encodeURIComponent(name)}`;

export const skills = {
  list: async () => (await getJson<{ skills: Skill[] }>(ALL)).skills,
  get: (name: string) => getJson<SkillDetail>(pathOf(name)),
  remove: (name: string) => sendJson<void>("DELETE", pathOf(name)),
  /** Stores an archive as the next version of the skill that it has. */
  upload: async (archive: File): Promise<Skill> => {
    const form = new FormData();
    form.append("file", archive, archive.name);
    return (await request(ALL, { method: "POST", body: form })).json() as Promise<Skill>;
  },
};

export const archiveUrl = (name: string) => `${pathOf(name)}/archive`;
