import { defineBlock } from '../../engine/flow/defineBlock'
import { render, sayMessage } from '../../engine/flow/steps'
import { linePart } from '../../engine/flow/visitorParts'
import { dynamicValueVariables, isBlankValue } from '../../engine/values/dynamicValue'
import { isMediaUrl } from '../../engine/values/url'
import { videoFromTypebot } from './import'
import { videoDefaults, videoSchema } from './schema'

/**
 * Shows a video. An address with variables is validated after rendering: unless it is http(s) or a file of this
 * installation, nothing is shown.
 */
export const video = defineBlock({
  kind: 'video',
  category: 'bubble',
  title: 'Video',
  help: 'Shows a video file, or one from YouTube or Vimeo.',
  schema: videoSchema,
  defaults: videoDefaults,
  visitorTexts: ['caption'],
  visitorParts: ({ caption }) => [linePart('caption', 'caption', caption)],
  ports: () => [{ id: 'next' }],
  reads: (data) => [data.url, data.caption].flatMap(dynamicValueVariables),
  problems: ({ url }) => (isBlankValue(url) ? [{ path: 'url', message: 'Upload a video or enter its URL' }] : []),
  importers: [videoFromTypebot],
  *run(data) {
    const url = (yield* render(data.url)).trim()
    const caption = yield* render(data.caption)
    if (isMediaUrl(url)) yield* sayMessage({ kind: 'video', url, caption })
    return 'next'
  },
})
