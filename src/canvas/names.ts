import i18next from 'i18next'
import type { Projection } from '../../engine/document/commands'
import { secretLabel, secretNameOf } from '../../engine/values/secrets'
import { systemVariables } from '../../engine/values/systemVariables'
import type { FaceNames } from '../ui/blockFace'

const known = new WeakMap<Projection['variables'], FaceNames['variable']>()

/** Looks up names of a flow's variables, system variables and secrets; the same function for the same variables. */
export function variableNames(variables: Projection['variables']): FaceNames['variable'] {
  const present = known.get(variables)
  if (present) return present
  const byId = new Map<string, string>([...systemVariables, ...variables].map(({ id, name }) => [id, name]))
  const nameOf = (id: string) => byId.get(id) ?? secretName(id)
  known.set(variables, nameOf)
  return nameOf
}

function secretName(id: string): string | null {
  const name = secretNameOf(id)
  return name === null ? null : secretLabel(name)
}

let texts: { language: string; text: FaceNames['text'] } | null = null

/** The interface's texts; the same function while the language, once loaded, is the same. */
export function interfaceTexts(): FaceNames['text'] {
  const language = ['blocks', 'text'].every((name) => i18next.hasLoadedNamespace(name)) ? i18next.language : ''
  if (texts?.language !== language) {
    const t = i18next.getFixedT(language || null, 'blocks')
    texts = { language, text: (key, values) => t(key, { ...values }) ?? '' }
  }
  return texts.text
}

/** The names on which heights of blocks depend. */
export const namesOf = ({ variables, groups }: Projection): FaceNames => ({
  variable: variableNames(variables),
  group: (id) => groups.get(id)?.title ?? null,
  text: interfaceTexts(),
})

/** Records which names are looked up: the result is stale once one of them has changed. */
export function recordNames(names: FaceNames): { names: FaceNames; isStale: (now: FaceNames) => boolean } {
  const variables = new Map<string, string | null>()
  const groups = new Map<string, string | null>()
  let hasTexts = false
  return {
    names: {
      variable: (id) => remember(variables, id, names.variable(id)),
      group: (id) => remember(groups, id, names.group(id)),
      text: (key, values) => {
        hasTexts = true
        return names.text(key, values)
      },
    },
    isStale: (now) =>
      (hasTexts && now.text !== names.text) || differs(variables, now.variable) || differs(groups, now.group),
  }
}

function remember(asked: Map<string, string | null>, id: string, name: string | null): string | null {
  asked.set(id, name)
  return name
}

function differs(asked: ReadonlyMap<string, string | null>, nameOf: (id: string) => string | null): boolean {
  for (const [id, name] of asked) if (nameOf(id) !== name) return true
  return false
}
