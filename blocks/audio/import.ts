import { fieldsOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { isExternalUrl } from '../../engine/values/url'
import { audioDefaults } from './schema'

/** A sound by its address. Here it never starts by itself. */
export const audioFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['audio'],
  map(block, context) {
    const content = fieldsOf(block.content)
    noteOthers(content, ['url', 'isAutoplayEnabled'], context)
    if (content.isAutoplayEnabled === true) context.note('It played by itself: here visitors start it.')
    const url = textOf(content.url).trim()
    if (url && !isExternalUrl(url) && !url.startsWith('{{'))
      return { notMapped: 'The sound has no address that starts with https:// or http://.' }
    return { data: { ...audioDefaults(), url: context.text(url, caps.url) }, ports: { default: 'next' } }
  },
}
