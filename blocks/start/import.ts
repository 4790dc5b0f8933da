import type { BlockImporter } from '../../engine/interop/importer'
import { startDefaults } from './schema'

/** The start, an event or a block depending on the version: the framework always makes it a block in its own group. */
export const startFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['start'],
  map: () => ({ data: startDefaults(), ports: { default: 'next' } }),
}
