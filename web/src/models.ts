import { useEffect, useState } from "react";
import { api } from "./api";
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
