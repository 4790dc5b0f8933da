import { defineBlock } from '../../engine/flow/defineBlock'
import { note, render, sayMessage } from '../../engine/flow/steps'
import { linePart } from '../../engine/flow/visitorParts'
import { dynamicValueVariables, isBlankValue } from '../../engine/values/dynamicValue'
import { fileNameIn, isMediaUrl } from '../../engine/values/url'
import { documentDefaults, documentSchema } from './schema'

/**
 * Sends a file to keep: a document where the channel has those, else a link to it. An address with variables is
 * validated after rendering: unless it is http(s) or a file of this installation, nothing is sent.
 */
export const document = defineBlock({
  kind: 'document',
  category: 'bubble',
  title: 'Document',
  help: 'Sends a PDF or another file.',
  schema: documentSchema,
  defaults: documentDefaults,
  visitorTexts: ['name', 'caption'],
  visitorParts: ({ caption }) => [linePart('caption', 'caption', caption)],
  ports: () => [{ id: 'next' }],
  reads: (data) => [data.url, data.name, data.caption].flatMap(dynamicValueVariables),
  problems: ({ url }) => (isBlankValue(url) ? [{ path: 'url', message: 'Upload a document or enter its URL' }] : []),
  *run(data) {
    const url = (yield* render(data.url)).trim()
    const name = (yield* render(data.name)).trim() || fileNameIn(url)
    const caption = (yield* render(data.caption)).trim()
    if (!isMediaUrl(url)) {
      yield* note('There is no document: the address does not start with https:// or http://.')
      return 'next'
    }
    yield* sayMessage({
      kind: 'text',
      text: [{ text: caption }, { text: name, link: url }]
        .filter(({ text }) => text !== '')
        .map((line) => ({ type: 'paragraph', children: [line] })),
      native: { type: 'document', url, name, caption },
    })
    return 'next'
  },
})
