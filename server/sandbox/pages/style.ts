import { Html } from './html'

/** One sheet for all pages of the sandbox; colours meet 4.5 to 1 in light and dark. */
export const style = new Html(`
:root { color-scheme: light dark; --ground: #f6f7f9; --card: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d0d7de;
  --accent: #0b57d0; --on-accent: #fff; --warn: #fff4ce; --warn-ink: #4d3800; --danger: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ground: #15181c; --card: #1e2227; --ink: #e8eaed; --soft: #a8b0b9;
  --line: #3a4149; --accent: #a8c7fa; --on-accent: #062e6f; --warn: #3b3215; --warn-ink: #ffe9a8; --danger: #f2b8b5; } }
* { box-sizing: border-box; }
body { --side: max(24px, (100% - 1360px) / 2 + 24px); margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
.notice { margin: 0; padding: 10px var(--side); background: var(--warn); color: var(--warn-ink); }
nav { display: flex; flex-wrap: wrap; gap: 4px 20px; padding: 12px var(--side) 0; }
main { max-width: 1360px; margin: 0 auto; padding: 16px 24px 64px; }
main.narrow, .narrow { max-width: 560px; margin-inline: auto; }
h1 { font-size: 26px; line-height: 1.25; margin: 16px 0; }
h2 { font-size: 19px; margin: 0 0 8px; }
a { color: var(--accent); }
a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 20px; margin: 0 0 20px; }
.card > :last-child, .card > :last-child > p:last-child { margin-bottom: 0; }
.card > p:first-of-type { margin-top: 0; }
form.card > p > :is(input, select, textarea) { max-width: 640px; }
.soft { color: var(--soft); }
.error { border-inline-start: 4px solid var(--danger); padding-inline-start: 12px; }
.row { display: flex; flex-wrap: wrap; gap: 12px; align-items: end; }
label, legend { display: block; font-weight: 600; font-size: 14px; margin-bottom: 4px; }
fieldset { border: 0; padding: 0; margin: 0 0 16px; }
.choice { display: flex; gap: 8px; align-items: baseline; font-weight: 400; font-size: 16px; padding: 3px 0; margin: 0; }
input:not([type=checkbox], [type=radio], [type=hidden]), select, textarea { width: 100%; min-height: 40px; padding: 8px 10px;
  font: inherit; color: inherit; background: var(--ground); border: 1px solid var(--soft); border-radius: 8px; }
textarea { min-height: 88px; }
button { min-height: 40px; padding: 8px 16px; font: inherit; font-weight: 600; border-radius: 8px; cursor: pointer;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); }
button.plain { background: transparent; color: var(--accent); }
button.danger { background: transparent; color: var(--danger); border-color: var(--danger); }
:is(a, button, input, select, textarea, [tabindex]):focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 15px; }
th, td { border: 1px solid var(--line); padding: 6px 8px; text-align: start; vertical-align: top; }
th, th.does { background: var(--ground); font-size: 14px; }
td.fixed { padding-block: 10px; overflow-wrap: break-word; }
.does { position: sticky; inset-inline-end: 0; background: var(--card); box-shadow: -1px 0 0 var(--line); }
td :is(input:not([type=checkbox]), select) { min-width: 120px; min-height: 34px; padding: 4px 8px; }
td textarea { min-width: 180px; min-height: 62px; }
td .row { flex-wrap: nowrap; gap: 8px; }
td button { min-height: 34px; padding: 4px 12px; white-space: nowrap; }
@media (max-width: 720px) {
  table.records, .records :is(tbody, tr, td) { display: block; width: 100%; }
  .records thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .records tr { padding: 12px 0; border-top: 1px solid var(--line); }
  .records tr:first-child { border-top: 0; padding-top: 0; }
  .records td { border: 0; padding: 4px 0; box-shadow: none; position: static; }
  .records td::before { content: attr(data-label); display: block; font-weight: 600; font-size: 14px; }
  .records td.fixed:empty { display: none; }
}
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--ground); padding: 12px; border-radius: 8px; }
`)
