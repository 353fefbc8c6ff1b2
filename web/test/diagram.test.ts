import { describe, expect, it } from "vitest";
import { drawDiagram } from "../src/diagram-svg";

const KINDS: Record<string, string> = {
  flowchart: "flowchart TD\n  A[Read file] -->|ok| B{Valid?}\n  B --> C[Report]",
  sequence: "sequenceDiagram\n  participant U as User\n  U->>S: Upload\n  S-->>U: Done",
  state: "stateDiagram-v2\n  [*] --> Idle\n  Idle --> Running",
  classes: "classDiagram\n  Animal <|-- Duck\n  Animal : +int age",
  entities: "erDiagram\n  CUSTOMER ||--o{ ORDER : places",
  chart: 'xychart-beta\n  x-axis [jan, feb]\n  y-axis "Revenue" 0 --> 10\n  bar [5, 6]',
};

describe("diagrams", () => {
  it.each(Object.keys(KINDS))("are drawn: %s", (kind) => {
    const { light, dark } = drawDiagram(KINDS[kind] ?? "");

    expect(light).toMatch(/^<svg [\s\S]*<\/svg>\s*$/);
    expect(dark).not.toBe(light);
  });

  it("load nothing of other servers", () => {
    expect(drawDiagram(KINDS.flowchart ?? "").light).not.toMatch(/@import|url\(['"]?http/);
  });

  it("show markup in labels as text", () => {
    const { light } = drawDiagram('flowchart TD\n  A["<script>alert(1)</script>"] --> B');

    expect(light).not.toContain("<script");
  });

  it("of an unknown kind are refused", () => {
    expect(() => drawDiagram("gantt\n  title A plan\n  section One\n  Task: 2026-01-01, 3d")).toThrow();
    expect(() => drawDiagram("pie\n  title Pets\n  \"Dogs\" : 3")).toThrow();
    expect(() => drawDiagram("")).toThrow();
  });
});
