import { fieldsOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { isExternalUrl } from '../../engine/values/url'

/** A redirect; an incomplete address (`a.example`) is completed, as browsers do. */
export const redirectFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['Redirect'],
  map(block, context) {
    const options = fieldsOf(block.options)
    noteOthers(options, ['url', 'isNewTab'], context)
    const address = textOf(options.url).trim()
    const isWhole = address === '' || address.startsWith('{{') || isExternalUrl(address)
    if (!isWhole && !/^[\w-]+(?:\.[\w-]+)+(?:[/?#:]|$)/.test(address))
      return { notMapped: 'The redirect has no address that starts with https:// or http://.' }
    const url = context.text(isWhole ? address : `https://${address}`, caps.url)
    return { data: { url, newTab: options.isNewTab === true }, ports: { default: 'next' } }
  },
}
