import { useEffect, useState } from "react";
import { ApiError, getJson } from "./api";
import { plural } from "./format";
import { Page } from "./page";
import { PageLink } from "./sidebar";
import type { UsageReport, UsageRow, UsageSum } from "./types";

const DAY_MILLIS = 86_400_000;
const PERIODS = [7, 30, 90] as const;

const GROUPS = [
  ["day", "Day"],
  ["model", "Model"],
  ["user", "Person"],
] as const;

type GroupBy = (typeof GROUPS)[number][0];

/** The tokens and the cost of calls of models, per day, model and person. */
export default function UsagePage({ openMenu }: { openMenu: () => void }) {
  const [days, setDays] = useState<number>(30);
  const [groupBy, setGroupBy] = useState<GroupBy>("day");
  const { report, from, to, error } = useUsage(days, groupBy);
  const names = useNames(groupBy === "user");
  const rows = report ? (groupBy === "day" ? everyDay(report.rows, from, to) : report.rows) : [];
  return (
    <Page
      title="Usage"
      openMenu={openMenu}
      actions={
        <PageLink to="/storage" className="button small">
          Storage
        </PageLink>
      }
    >
      <div className="filters">
        <Choice name="group" legend="One bar for each" options={GROUPS} value={groupBy} choose={setGroupBy} />
        <Choice
          name="period"
          legend="Period"
          options={PERIODS.map((count) => [count, plural(count, "day")] as const)}
          value={days}
          choose={setDays}
        />
      </div>
      {error && <p className="notice">{error}</p>}
      {report && (
        <>
          <Total total={report.total} />
          {report.total.calls === 0 ? (
            <p className="files-empty">No model was called in this period.</p>
          ) : (
            <Report rows={rows} label={(key) => labelOf(groupBy, key, names)} head={GROUPS.find(([id]) => id === groupBy)?.[1] ?? ""} total={report.total} />
          )}
        </>
      )}
    </Page>
  );
}

interface ChoiceProps<T> {
  name: string;
  legend: string;
  options: readonly (readonly [T, string])[];
  value: T;
  choose: (value: T) => void;
}

function Choice<T extends string | number>({ name, legend, options, value, choose }: ChoiceProps<T>) {
  return (
    <fieldset className="segmented">
      <legend className="visually-hidden">{legend}</legend>
      {options.map(([one, label]) => (
        <label key={one}>
          <input type="radio" name={name} checked={value === one} onChange={() => choose(one)} />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10);

interface Read {
  report: UsageReport | null;
  from: string;
  to: string;
  error: string;
}

function useUsage(days: number, groupBy: GroupBy): Read {
  const [read, setRead] = useState<Read>({ report: null, from: "", to: "", error: "" });
  useEffect(() => {
    const controller = new AbortController();
    const now = Date.now();
    const [from, to] = [dateOf(now - (days - 1) * DAY_MILLIS), dateOf(now)];
    getJson<UsageReport>(`/api/usage?${new URLSearchParams({ from, to, groupBy })}`, controller.signal).then(
      (report) => setRead({ report, from, to, error: "" }),
      (error: unknown) => {
        if (controller.signal.aborted) return;
        const text = error instanceof ApiError && error.status === 403 ? "Only owners see the usage." : (error as Error).message;
        setRead({ report: null, from, to, error: text });
      },
    );
    return () => controller.abort();
  }, [days, groupBy]);
  return read;
}

/** The names of people by their ids. */
function useNames(wanted: boolean): ReadonlyMap<string, string> {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (!wanted) return;
    getJson<{ users: { id: string; name: string }[] }>("/api/users").then(
      ({ users }) => setNames(new Map(users.map(({ id, name }) => [id, name]))),
      () => {}, // their ids are shown
    );
  }, [wanted]);
  return names;
}

const NOTHING = { calls: 0, inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costMicros: null };

/** Each day of the period, in its order, also those without a call. */
export function everyDay(rows: readonly UsageRow[], from: string, to: string): UsageRow[] {
  const known = new Map(rows.map((row) => [row.key, row]));
  const days: UsageRow[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MILLIS) {
    const key = dateOf(time);
    days.push(known.get(key) ?? { key, ...NOTHING });
  }
  return days;
}

function labelOf(groupBy: GroupBy, key: string | null, names: ReadonlyMap<string, string>): string {
  if (key === null) return groupBy === "user" ? "Nobody" : "Other";
  if (groupBy === "day") return new Date(`${key}T00:00:00Z`).toLocaleDateString(undefined, { dateStyle: "medium", timeZone: "UTC" });
  return names.get(key) ?? (groupBy === "user" && key === "owner" ? "Owner" : key);
}

const count = (tokens: number) => tokens.toLocaleString("en");
const cost = ({ costMicros }: UsageSum) => (costMicros === null ? "–" : `$${(costMicros / 1e6).toFixed(costMicros < 1e5 ? 4 : 2)}`);
const tokensOf = (sum: UsageSum) => sum.inputTokens + sum.outputTokens + sum.cacheReadTokens + sum.cacheWriteTokens;

function Total({ total }: { total: UsageSum }) {
  return (
    <dl className="facts">
      <div>
        <dt>Cost</dt>
        <dd>{cost(total)}</dd>
      </div>
      <div>
        <dt>Tokens</dt>
        <dd>{count(tokensOf(total))}</dd>
      </div>
      <div>
        <dt>Calls</dt>
        <dd>{count(total.calls)}</dd>
      </div>
    </dl>
  );
}

interface ReportProps {
  rows: readonly UsageRow[];
  label: (key: string | null) => string;
  head: string;
  total: UsageSum;
}

/** A bar is as long as its cost; as its tokens, if no model has a price. */
function Report({ rows, label, head, total }: ReportProps) {
  const weight = (row: UsageRow) => (total.costMicros === null ? tokensOf(row) : (row.costMicros ?? 0));
  const most = Math.max(1, ...rows.map(weight));
  return (
    <div className="table usage-table" role="region" aria-label="Usage" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col">
              <span className="visually-hidden">{total.costMicros === null ? "Share of the tokens" : "Share of the cost"}</span>
            </th>
            {["Cost", "Input", "Output", "From the cache", "To the cache", "Calls"].map((name) => (
              <th key={name} scope="col" className="align-right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{label(row.key)}</th>
              <td className="usage-bar">
                <span style={{ width: `${(weight(row) / most) * 100}%` }} data-weight={weight(row)} />
              </td>
              <Cells sum={row} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td />
            <Cells sum={total} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Cells({ sum }: { sum: UsageSum }) {
  const values = [cost(sum), ...[sum.inputTokens, sum.outputTokens, sum.cacheReadTokens, sum.cacheWriteTokens, sum.calls].map(count)];
  return values.map((value, index) => (
    <td key={index} className="align-right">
      {value}
    </td>
  ));
}
