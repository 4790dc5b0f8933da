import { defineBlock } from '../../engine/flow/defineBlock'
import { render, sayMessage } from '../../engine/flow/steps'
import { dynamicValueVariables, isBlankValue } from '../../engine/values/dynamicValue'
import { isExternalUrl } from '../../engine/values/url'
import { embedFromCalCom, embedFromTypebot } from './import'
import { embedDefaults, embedSchema } from './schema'

/** Shows another page within the chat, unless its rendered address is not http(s). */
export const embed = defineBlock({
  kind: 'embed',
  category: 'bubble',
  title: 'Embed',
  help: 'Shows a web page in the chat: a map, a form, a calendar.',
  schema: embedSchema,
  defaults: embedDefaults,
  visitorTexts: ['title'],
  wants: 'embed',
  instead: 'link',
  ports: () => [{ id: 'next' }],
  reads: (data) => [data.url, data.title].flatMap(dynamicValueVariables),
  problems: ({ url }) => (isBlankValue(url) ? [{ path: 'url', message: 'Enter a URL' }] : []),
  importers: [embedFromTypebot, embedFromCalCom],
  *run(data) {
    const url = (yield* render(data.url)).trim()
    const title = yield* render(data.title)
    if (isExternalUrl(url)) yield* sayMessage({ kind: 'embed', url, title, height: data.height })
    return 'next'
  },
})
