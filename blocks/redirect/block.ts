import { defineBlock } from '../../engine/flow/defineBlock'
import { render, sayMessage } from '../../engine/flow/steps'
import { dynamicValueVariables, isBlankValue } from '../../engine/values/dynamicValue'
import { isExternalUrl } from '../../engine/values/url'
import { redirectFromTypebot } from './import'
import { redirectDefaults, redirectSchema } from './schema'

/**
 * Sends the visitor's browser to a page; the conversation goes on meanwhile. Does nothing if the rendered address is
 * not http(s).
 */
export const redirect = defineBlock({
  kind: 'redirect',
  category: 'logic',
  title: 'Redirect',
  help: 'Takes the visitor to another page.',
  schema: redirectSchema,
  defaults: redirectDefaults,
  wants: 'redirect',
  instead: 'link',
  ports: () => [{ id: 'next' }],
  reads: (data) => dynamicValueVariables(data.url),
  problems: ({ url }) => (isBlankValue(url) ? [{ path: 'url', message: 'Enter a URL' }] : []),
  importers: [redirectFromTypebot],
  *run(data) {
    const url = (yield* render(data.url)).trim()
    if (isExternalUrl(url)) yield* sayMessage({ kind: 'redirect', url, newTab: data.newTab })
    return 'next'
  },
})
