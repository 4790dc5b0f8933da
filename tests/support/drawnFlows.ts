import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readShared, sharedFiles } from './shared'

export type DrawnProduct = 'dify' | 'flowise'

const endings: Record<DrawnProduct, string> = { dify: '.yml', flowise: '.json' }

/** Our own flows in a product's format: together they contain every supported type of node. */
export const ownDrawnFiles = (product: DrawnProduct): string[] => readdirSync(folderOf(product))

/** Other people's flows; none if they are not beside the repository. */
export const sharedDrawnFiles = (product: DrawnProduct): string[] => sharedFiles(`flows/${product}`, endings[product])

export const drawnFiles = (product: DrawnProduct): string[] => [...ownDrawnFiles(product), ...sharedDrawnFiles(product)]

export const drawnSource = (product: DrawnProduct, name: string): string =>
  ownDrawnFiles(product).includes(name)
    ? readFileSync(folderOf(product) + name, 'utf8')
    : readShared(`flows/${product}/${name}`)

const folderOf = (product: DrawnProduct): string => fileURLToPath(new URL(`${product}/`, import.meta.url))
