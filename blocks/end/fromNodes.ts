import type { NodeImporter } from '../../engine/interop/importer'
import { endDefaults } from './schema'

const map: NodeImporter['map'] = () => ({ data: endDefaults(), ports: {} })

/** The end of a graph that runs once. */
export const endFromDify: NodeImporter = { product: 'dify', types: ['over'], map }
export const endFromFlowise: NodeImporter = { product: 'flowise', types: ['over'], map }
