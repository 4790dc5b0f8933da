import { fieldsOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { isExternalUrl } from '../../engine/values/url'
import { videoDefaults } from './schema'

/** A video by its address, or by its id for YouTube and Vimeo; the product's other sites have no player here. */
export const videoFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['video'],
  map(block, context) {
    const content = fieldsOf(block.content)
    noteOthers(content, ['url', 'id', 'type', 'aspectRatio', 'maxWidth', 'height', 'queryParamsStr'], context)
    const url = addressOf(textOf(content.url).trim(), textOf(content.id).trim(), textOf(content.type))
    if (url && !isExternalUrl(url) && !url.startsWith('{{'))
      return { notMapped: 'The video has no address that starts with https:// or http://.' }
    if (/^(?:tiktok|gumlet)$/.test(textOf(content.type)))
      context.note('There is no player for videos of this site: its address is kept.')
    return { data: { ...videoDefaults(), url: context.text(url, caps.url) }, ports: { default: 'next' } }
  },
}

function addressOf(url: string, id: string, site: string): string {
  if (url || !id) return url
  return site === 'youtube'
    ? `https://www.youtube.com/watch?v=${id}`
    : site === 'vimeo'
      ? `https://vimeo.com/${id}`
      : ''
}
