/** What of a chatbot uses a thing of the project: flows, lists that it follows, and actions of its model. */
interface Use {
  chatbot: { name: string }
  flows: readonly string[]
  lists: readonly string[]
  actions: readonly string[]
}

/** `Bot (Main flow, Support, acme.zendesk.com), Other bot (Main flow)`; empty: nothing uses it. */
export const usedIn = (uses: readonly Use[]): string =>
  inWords(uses, ({ flows, lists, actions }) => [...flows, ...lists, ...actions])
/** Flows alone. */
export const usedInFlows = (uses: readonly Use[]): string => inWords(uses, ({ flows }) => flows)
/** Followed lists alone. */
export const usedInLists = (uses: readonly Use[]): string => inWords(uses, ({ lists }) => lists)
/** Actions alone. */
export const usedInActions = (uses: readonly Use[]): string => inWords(uses, ({ actions }) => actions)

const inWords = (uses: readonly Use[], what: (use: Use) => readonly string[]): string =>
  uses
    .map((use) => ({ name: use.chatbot.name, things: what(use) }))
    .filter(({ things }) => things.length > 0)
    .map(({ name, things }) => `${name} (${things.join(', ')})`)
    .join(', ')
