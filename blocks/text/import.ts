import type { BlockImporter } from '../../engine/interop/importer'

/** A text bubble. */
export const textFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['text'],
  map: (block, context) => ({ data: { content: context.richText(block.content) }, ports: { default: 'next' } }),
}
