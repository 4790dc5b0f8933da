import { defineBlock } from '../../engine/flow/defineBlock'
import { render, sayMessage } from '../../engine/flow/steps'
import { linePart } from '../../engine/flow/visitorParts'
import { dynamicValueVariables, isBlankValue } from '../../engine/values/dynamicValue'
import { isExternalUrl, isMediaUrl } from '../../engine/values/url'
import { imageFromTypebot } from './import'
import { imageDefaults, imageSchema } from './schema'

/**
 * Shows an image. An address with variables is validated after rendering: unless it is http(s) or a file of this
 * installation, nothing is shown.
 */
export const image = defineBlock({
  kind: 'image',
  category: 'bubble',
  title: 'Image',
  help: 'Shows an image.',
  schema: imageSchema,
  defaults: imageDefaults,
  visitorTexts: ['alt'],
  visitorParts: ({ alt }) => [linePart('caption', 'alt', alt)],
  ports: () => [{ id: 'next' }],
  reads: (data) => [data.url, data.alt, data.link].flatMap(dynamicValueVariables),
  problems: ({ url }) => (isBlankValue(url) ? [{ path: 'url', message: 'Upload an image or enter its URL' }] : []),
  importers: [imageFromTypebot],
  *run(data) {
    const url = (yield* render(data.url)).trim()
    const alt = yield* render(data.alt)
    const link = (yield* render(data.link)).trim()
    if (isMediaUrl(url)) yield* sayMessage({ kind: 'image', url, alt, ...(isExternalUrl(link) && { link }) })
    return 'next'
  },
})
