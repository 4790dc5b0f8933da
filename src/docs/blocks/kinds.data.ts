import { registry } from '../../../blocks/registry'
import { categoryNames, textsOfKind } from '../programs/texts'

interface ListedKind {
  kind: string
  title: string
  help: string
}

interface ListedCategory {
  id: string
  name: string
  kinds: ListedKind[]
}

declare const data: ListedCategory[]

export { data }

/** The kinds by category, for the list of all. */
export default {
  load: (): ListedCategory[] =>
    Object.entries(categoryNames()).map(([id, name]) => ({
      id,
      name,
      kinds: registry.kinds
        .filter(({ category }) => category === id)
        .map(({ kind }) => {
          const { title, help } = textsOfKind(kind)
          return { kind, title, help }
        }),
    })),
}
