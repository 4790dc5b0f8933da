import { Html } from '../pages/html'

/** Of the pages of phones: the look of a messaging app, in light and dark. */
export const phoneStyle = new Html(`
:root { --wall: #e9e3da; --mine: #d6f5c8; --theirs: #fff; --bar: #0b6b57; --on-bar: #fff; }
@media (prefers-color-scheme: dark) { :root { --wall: #0d1418; --mine: #0b4a3b; --theirs: #1f2a30; } }
.desk { display: flex; flex-wrap: wrap; gap: 24px; align-items: start; }
.phone { width: min(400px, 100%); border: 1px solid var(--line); border-radius: 28px; overflow: hidden; background: var(--card); }
.desk > .card { flex: 1 1 260px; }
.bar { background: var(--bar); color: var(--on-bar); padding: 14px 18px; display: flex; justify-content: space-between; gap: 12px; }
.log { height: 460px; overflow-y: auto; margin: 0; padding: 14px; list-style: none; background: var(--wall); display: flex;
  flex-direction: column; gap: 8px; }
.log .soft { color: var(--ink); }
.bubble { max-width: 84%; width: fit-content; padding: 8px 12px; border-radius: 12px; background: var(--theirs); overflow-wrap: anywhere; }
.bubble p { margin: 0 0 4px; white-space: pre-wrap; }
.mine .bubble { margin-inline-start: auto; background: var(--mine); }
.bubble :is(img, video) { display: block; max-width: 100%; max-height: 240px; border-radius: 8px; }
.bubble audio { max-width: 100%; }
.meta { display: block; font-size: 12px; text-align: end; }
.options { border-top: 1px solid var(--line); margin-top: 6px; padding-top: 6px; display: grid; gap: 6px; }
.options summary { cursor: pointer; text-align: center; font-weight: 600; min-height: 32px; }
.options button { width: 100%; border-color: var(--line); color: var(--ink); }
.options small { display: block; font-weight: 400; }
.raw { font-size: 12px; }
.mine .raw { text-align: end; }
.raw pre { text-align: start; font-size: 12px; }
.write { display: flex; gap: 8px; padding: 10px 14px; flex-wrap: wrap; }
.write input { flex: 1; width: auto; }
.hidden { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
.chats { list-style: none; margin: 0; padding: 8px 14px; border-bottom: 1px solid var(--line); }
.chats a { display: grid; grid-template-columns: 1fr auto; gap: 0 8px; padding: 6px 8px; border-radius: 8px; color: inherit; text-decoration: none }
.chats a[aria-current] { background: var(--wall) }
.bubble .reaction { display: block; width: fit-content; margin: 2px 0 -18px; padding: 1px 6px; border: 1px solid var(--line); border-radius: 999px; background: var(--card) }
.act { margin: 8px 0 0; font-size: 12px }
.mine .act { text-align: end }
.act .link { border: 0; padding: 2px 4px; min-height: 24px; background: none; color: inherit; font: inherit; text-decoration: underline; cursor: pointer }
.chats .soft { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.chats b { justify-self: end; padding: 0 7px; border-radius: 9px; background: #0f766e; color: #fff; font-size: 12px }
`)
