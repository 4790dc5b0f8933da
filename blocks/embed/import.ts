import { fieldsOf, numberOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { isExternalUrl } from '../../engine/values/url'
import { embedDefaults, HEIGHT } from './schema'

/** A page in a frame. Waiting for a message from the frame has no counterpart. */
export const embedFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['embed'],
  map(block, context) {
    const content = fieldsOf(block.content)
    noteOthers(content, ['url', 'height', 'waitForEvent'], context)
    if (fieldsOf(content.waitForEvent).isEnabled === true)
      context.note('It waited for a message from the page: here the conversation goes on at once.')
    const url = textOf(content.url).trim()
    if (url && !isExternalUrl(url) && !url.startsWith('{{'))
      return { notMapped: 'The embedded page has no address that starts with https:// or http://.' }
    const defaults = embedDefaults()
    const height = Math.round(numberOf(content.height) ?? defaults.height)
    return {
      data: {
        ...defaults,
        url: context.text(url, caps.url),
        height: Math.min(Math.max(height, HEIGHT.min), HEIGHT.max),
      },
      ports: { default: 'next' },
    }
  },
}
