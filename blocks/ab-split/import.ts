import { fieldsOf, listOf, numberOf, textOf } from '../../engine/interop/fields'
import type { BlockImporter } from '../../engine/interop/importer'
import { noteOthers } from '../../engine/interop/settings'
import type { AbSplitData } from './schema'

/** An A/B test of two paths, items `a` and `b`. */
export const abSplitFromTypebot: BlockImporter = {
  product: 'typebot',
  types: ['AB test'],
  map(block, context) {
    const options = fieldsOf(block.options)
    noteOthers(options, ['aPercent'], context)
    const percent = Math.round(Math.min(Math.max(numberOf(options.aPercent) ?? 50, 0), 100))
    const data: AbSplitData = {
      paths: [
        { id: context.id(), label: 'A', percent },
        { id: context.id(), label: 'B', percent: 100 - percent },
      ],
      saveTo: null,
    }
    const items = listOf(block.items).map(fieldsOf)
    const ports = items.flatMap((item, index) => {
      const at = item.path === 'a' ? 0 : item.path === 'b' ? 1 : index
      const path = data.paths[at]
      return path ? [[textOf(item.id), path.id]] : []
    })
    return { data, ports: Object.fromEntries(ports) }
  },
}
