import { defineBlock } from '../../engine/flow/defineBlock'
import { render, sayMessage } from '../../engine/flow/steps'
import { linePart } from '../../engine/flow/visitorParts'
import { dynamicValueVariables, isBlankValue } from '../../engine/values/dynamicValue'
import { isMediaUrl } from '../../engine/values/url'
import { audioFromTypebot } from './import'
import { audioDefaults, audioSchema } from './schema'

/**
 * Plays a sound. An address with variables is validated after rendering: unless it is http(s) or a file of this
 * installation, nothing is shown.
 */
export const audio = defineBlock({
  kind: 'audio',
  category: 'bubble',
  title: 'Audio',
  help: 'Plays an audio file.',
  schema: audioSchema,
  defaults: audioDefaults,
  visitorTexts: ['caption'],
  // sounds have no caption elsewhere: it is a text of its own
  visitorParts: ({ caption }) => [linePart('text', 'caption', caption)],
  ports: () => [{ id: 'next' }],
  reads: (data) => [data.url, data.caption].flatMap(dynamicValueVariables),
  problems: ({ url }) => (isBlankValue(url) ? [{ path: 'url', message: 'Upload an audio file or enter its URL' }] : []),
  importers: [audioFromTypebot],
  *run(data) {
    const url = (yield* render(data.url)).trim()
    const caption = yield* render(data.caption)
    if (isMediaUrl(url)) yield* sayMessage({ kind: 'audio', url, caption })
    return 'next'
  },
})
