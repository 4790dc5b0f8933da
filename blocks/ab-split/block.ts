import { defineBlock } from '../../engine/flow/defineBlock'
import { random, read, setVariable } from '../../engine/flow/steps'
import { printValue, variableValue } from '../../engine/values/render'
import { abSplitFromTypebot } from './import'
import { type AbSplitData, abSplitDefaults, abSplitSchema, nameOf, type SplitPath } from './schema'

/**
 * Chooses one of several paths randomly by percentages. With a variable, a visitor whose variable names a path takes
 * that one again, whatever its present percentage.
 */
export const abSplit = defineBlock({
  kind: 'ab-split',
  category: 'logic',
  title: 'A/B split',
  help: 'Splits visitors at random between paths.',
  schema: abSplitSchema,
  defaults: abSplitDefaults,
  ports: ({ paths }) => paths.map((path, index) => ({ id: path.id, label: nameOf(path, index), row: path.id })),
  reads: variable,
  writes: variable,
  needs: () => [],
  importers: [abSplitFromTypebot],
  *run({ paths, saveTo }) {
    const known = saveTo === null ? '' : printValue(variableValue(yield* read(), saveTo))
    const kept = paths.find((path, index) => nameOf(path, index) === known)
    if (kept) return kept.id
    const path = draw(paths, yield* random())
    if (saveTo !== null) yield* setVariable(saveTo, nameOf(path, paths.indexOf(path)))
    return path.id
  },
})

function variable({ saveTo }: AbSplitData): string[] {
  return saveTo === null ? [] : [saveTo]
}

/** @param chance in [0, 1) */
function draw(paths: readonly SplitPath[], chance: number): SplitPath {
  let left = chance * 100
  const drawn = paths.find(({ percent }) => {
    left -= percent
    return left < 0
  })
  const path = drawn ?? paths.at(-1)
  if (!path) throw new Error('The schema lets no split be without paths.')
  return path
}
