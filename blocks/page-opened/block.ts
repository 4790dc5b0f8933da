import { defineBlock } from '../../engine/flow/defineBlock'
import { cause, read, setVariable, wait } from '../../engine/flow/steps'
import { variableValue } from '../../engine/values/render'
import { matchesPage } from './matchPage'
import { pageOpenedDefaults, pageOpenedSchema } from './schema'

/** Starts a conversation automatically on some pages. */
export const pageOpened = defineBlock({
  kind: 'page-opened',
  category: 'trigger',
  title: 'Page opened',
  help: 'Starts when a visitor opens a certain page.',
  schema: pageOpenedSchema,
  defaults: pageOpenedDefaults,
  ports: () => [{ id: 'next' }],
  writes: (data) => (data.saveUrl ? [data.saveUrl] : []),
  startsOn: (data, { url = '', begun = [] }, blockId) =>
    !(data.onceAVisit && begun.includes(blockId)) && data.pages.some((page) => matchesPage(page, url)),
  rank: 2,
  shows: ({ shows }) => shows,
  wants: 'page',
  *run(data) {
    const why = yield* cause()
    const opened = why?.type === 'start' ? why.url : undefined
    if (data.saveUrl) yield* setVariable(data.saveUrl, opened ?? variableValue(yield* read(), 'sys_current_url'))
    if (why && data.delay > 0) yield* wait(data.delay)
    return 'next'
  },
})
