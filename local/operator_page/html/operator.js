// Charts of the twin's figures, asked for every two seconds. No library, and nothing from elsewhere.

const CLIENT = "omniforge-web", EVERY_MS = 2000, WIDTH = 180, HEIGHT = 60;
const HERE = `${location.origin}/operator`;
const STAGES = ["admitting", "waiting", "reading", "understanding", "acting", "routing", "answering", "storing"];

const sum = (name, label) => ({ label, of: (step) => step.sums[name] ?? 0 });
const percentile = (rank, name, label) => ({ label, of: (step) => step[rank][name] ?? null });

// A chart's series are fixed, or read from what was measured: `words` names the field with their names.
const CHARTS = [
  { title: "Turns", total: count, series: [{ label: "answered", of: (step) => step.turns }] },
  { title: "Tiers", total: count, words: ["counts", "intent_classification_method"] },
  {
    title: "Latency of a turn", unit: "ms", lines: true, total: newest,
    series: [percentile("p50", "turn_latency_ms", "p50"), percentile("p95", "turn_latency_ms", "p95")],
  },
  { title: "Stages of a turn, p50", unit: "ms", total: newest, series: STAGES.map((stage) => percentile("p50", `turn_${stage}_ms`, stage)) },
  { title: "Cost", unit: "USD", total: count, series: [sum("turn_cost_usd", "of models")] },
  { title: "Tokens", total: count, series: [sum("turn_prompt_tokens", "prompt"), sum("turn_completion_tokens", "answer")] },
  {
    title: "Waits and conflicts", total: count,
    series: [sum("turns_waited", "waited"), sum("turns_accepted", "answered later"), sum("turn_conflicts", "conflicts"), sum("turns_replayed", "replays")],
  },
  { title: "Queues", lines: true, total: newest, words: ["waiting"] },
  { title: "Fallbacks", total: count, words: ["counts", "intent_fallbacks"] },
  { title: "Model calls", total: count, series: [sum("model_calls", "calls"), sum("model_failures", "failures")] },
  { title: "Tools", total: count, words: ["counts", "tools_used"] },
  { title: "Runs", total: count, series: [sum("runs_ended", "ended"), sum("runs_failed", "failed")] },
];

function count(rows) {
  return rows.flat().reduce((all, value) => all + (value ?? 0), 0);
}

function newest(rows) {
  return Math.max(0, ...rows.map((row) => row.findLast((value) => value !== null) ?? 0));
}

function seriesOf(chart, measured) {
  if (!chart.words) return chart.series;
  const found = (step) => chart.words.reduce((value, name) => value?.[name], step) ?? {};
  const names = [...new Set(measured.flatMap((step) => Object.keys(found(step))))].sort();
  return names.map((name) => ({ label: name, of: (step) => found(step)[name] ?? (chart.lines ? null : 0) }));
}

function element(name, attributes = {}, ...children) {
  const made = name.startsWith("svg:")
    ? document.createElementNS("http://www.w3.org/2000/svg", name.slice(4))
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function draw(chart, figures) {
  const first = figures.now - figures.steps + 1;
  const series = seriesOf(chart, figures.measured);
  const rows = series.map(({ of }) => {
    const row = Array(figures.steps).fill(chart.lines ? null : 0);
    for (const step of figures.measured) if (step.at >= first) row[step.at - first] = of(step);
    return row;
  });
  const highest = chart.lines
    ? Math.max(1e-9, ...rows.flat().map((value) => value ?? 0))
    : Math.max(1e-9, ...Array.from({ length: figures.steps }, (_, at) => rows.reduce((all, row) => all + (row[at] ?? 0), 0)));
  const shapes = chart.lines ? rows.map((row, which) => line(row, which, highest)) : bars(rows, highest);
  const svg = element(
    "svg:svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": chart.title },
    ...[0, 0.5, 1].map((part) => element("svg:line", { class: "grid", x1: 0, x2: WIDTH, y1: part * HEIGHT, y2: part * HEIGHT })),
    ...shapes,
  );
  const total = `${format(chart.total(rows))}${chart.unit ? ` ${chart.unit}` : ""}`;
  return element(
    "figure", {},
    element("figcaption", {}, element("h2", {}, chart.title), element("output", {}, total)),
    svg,
    element("ul", {}, ...series.map(({ label }, which) => element("li", { class: `c${which % 8}` }, element("span", {}, label)))),
  );
}

function bars(rows, highest) {
  return rows.flatMap((row, which) =>
    row.flatMap((value, at) => {
      if (!value) return [];
      const below = rows.slice(0, which).reduce((all, other) => all + (other[at] ?? 0), 0);
      const [top, size] = [HEIGHT * (1 - (below + value) / highest), (HEIGHT * value) / highest];
      return [element("svg:rect", { class: `c${which % 8}`, x: (at * WIDTH) / row.length, y: top, width: WIDTH / row.length, height: size })];
    }),
  );
}

function line(row, which, highest) {
  const points = row.flatMap((value, at) =>
    value === null ? [] : [`${((at + 0.5) * WIDTH) / row.length},${HEIGHT * (1 - value / highest)}`]);
  // A single value is a short stroke, not nothing.
  if (points.length === 1) points.push(points[0].replace(/^[^,]+/, (x) => Number(x) + 1));
  return element("svg:polyline", { class: `line c${which % 8}`, points: points.join(" ") });
}

function format(value) {
  return value && value < 1 ? value.toPrecision(2) : Math.round(value).toLocaleString("en");
}

function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function beginSignIn() {
  const [state, verifier] = [base64url(crypto.getRandomValues(new Uint8Array(16))), base64url(crypto.getRandomValues(new Uint8Array(32)))];
  sessionStorage.setItem("operator-sign-in", JSON.stringify({ state, verifier }));
  const challenge = base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier))));
  const { authorization_endpoint: address } = await (await fetch("/.well-known/openid-configuration")).json();
  location.assign(`${address}?${new URLSearchParams({
    response_type: "code", client_id: CLIENT, redirect_uri: HERE, scope: "openid", state,
    code_challenge: challenge, code_challenge_method: "S256",
  })}`);
}

async function endSignIn(code, state) {
  const begun = JSON.parse(sessionStorage.getItem("operator-sign-in") ?? "{}");
  sessionStorage.removeItem("operator-sign-in");
  history.replaceState(null, "", "/operator");
  if (!begun.state || begun.state !== state) return null;
  const { token_endpoint: address } = await (await fetch("/.well-known/openid-configuration")).json();
  const answer = await fetch(address, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "authorization_code", client_id: CLIENT, redirect_uri: HERE, code, code_verifier: begun.verifier }),
  });
  return answer.ok ? (await answer.json()).access_token : null;
}

const state = document.getElementById("state"), button = document.getElementById("sign-in");

function ask(words) {
  state.textContent = words;
  button.hidden = false;
}

async function show(token) {
  const answer = await fetch("/operator/figures", { headers: { Authorization: `Bearer ${token}` } }).catch(() => null);
  if (answer?.status === 401) return ask("You are not signed in.");
  if (answer?.status === 403) return ask("These figures are for the role operator.");
  if (answer?.ok) {
    const figures = await answer.json();
    document.getElementById("charts").replaceChildren(...CHARTS.map((chart) => draw(chart, figures)));
    state.textContent = `The last ${Math.round((figures.steps * figures.step_s) / 60)} minutes of this twin.`;
    button.hidden = true;
  } else {
    state.textContent = "The twin does not answer.";
  }
  setTimeout(show, EVERY_MS, token);
}

button.addEventListener("click", beginSignIn);
const given = new URLSearchParams(location.search);
const token = given.has("code") ? await endSignIn(given.get("code"), given.get("state")) : null;
if (token) show(token);
else ask("You are not signed in.");
