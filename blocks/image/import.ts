import { fieldsOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import { caps } from '../../engine/values/caps'
import { isExternalUrl } from '../../engine/values/url'

/** An image with the link opened by a click. An address that is not on the web can't be shown. */
export const imageFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['image'],
  map(block, context) {
    const content = fieldsOf(block.content)
    const click = fieldsOf(content.clickLink)
    noteOthers(content, ['url', 'clickLink'], context)
    const address = textOf(content.url).trim()
    if (address && !isAddress(address)) {
      return { notMapped: 'The image has no address that starts with https:// or http://.' }
    }
    const link = textOf(click.url).trim()
    if (link && !isAddress(link))
      context.note('The link of the image is left out: it must start with https:// or http://.')
    return {
      data: {
        url: context.text(address, caps.url),
        alt: context.text(click.alt, caps.alt),
        link: context.text(isAddress(link) ? link : '', caps.url),
      },
      ports: { default: 'next' },
    }
  },
}

/** An address with variables is validated when the flow runs. */
const isAddress = (text: string): boolean => text.length <= caps.url && (isExternalUrl(text) || text.startsWith('{{'))
