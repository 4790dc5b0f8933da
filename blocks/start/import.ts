import type { BlockImporter } from '../../engine/interop/importer'
import { startDefaults } from './schema'

/** The start, an event or a block by version: the framework makes it a block in a group of its own. */
export const startFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['start'],
  map: () => ({ data: startDefaults(), ports: { default: 'next' } }),
}
