import { createContext, useCallback, useContext, useInsertionEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Problem } from '../../../engine/values/issues'
import { messageText } from '../../i18n/phrases'
import type { BlockEditorProps } from '../blockEditor'
import { readPath, writePath } from './path'

export interface FormState extends Omit<BlockEditorProps, 'data' | 'setData'> {
  data: Readonly<Record<string, unknown>>
  setData: (patch: Record<string, unknown>) => void
  issues: readonly Problem[]
  /** fields whose values differ between blocks; absent in the form of one */
  mixed?: ReadonlySet<string>
}

export const FormContext = createContext<FormState | null>(null)

export function useForm(): FormState {
  const form = useContext(FormContext)
  if (!form) throw new Error('A field stands in a BlockForm')
  return form
}

export interface Field<Value> {
  id: string
  /** identifies it among all fields of the flow, for presence */
  place: string
  value: Value
  /** writes the value into the block's data */
  set: (value: Value) => void
  readOnly: boolean
  /** several blocks are edited and differ: `value` is the first one's */
  mixed: boolean
  /** a text of this field, e.g. `options.any` */
  text: (part: string) => string
  label: string
  help: string | undefined
  placeholder: string | undefined
  /** the schema's error for the value */
  error: string | undefined
}

/**
 * A field of the form by its path in the data (`options.0.label`). Its texts are `<kind>.fields.<path>.label`, `.help`
 * and `.placeholder` of the namespace `blocks`, the path without numbers and joined by hyphens (`options-label`), or
 * those that all kinds share (`text:fields`).
 */
export function useField<Value>(path: string): Field<Value> {
  const { t } = useTranslation(['blocks', 'text'])
  const { kind, blockId, data, setData, issues, readOnly, mixed } = useForm()
  const steps = path.split('.')
  const name = steps.filter((step) => !/^\d+$/.test(step)).join('-')
  const texts = useMemo(() => {
    const text = (part: string): string =>
      t([`blocks:${kind}.fields.${name}.${part}`, `text:fields.${name}.${part}`], '')
    return {
      text,
      label: text('label'),
      help: text('help') || undefined,
      placeholder: text('placeholder') || undefined,
    }
  }, [t, kind, name])
  const issue = issues.find((candidate) => `${candidate.path.join('.')}.`.startsWith(`${path}.`))
  const error = issue && messageText(issue.message)
  // one for all renderings: it writes beside what other fields have written since
  const latest = useRef({ data, setData })
  useInsertionEffect(() => {
    latest.current = { data, setData }
  })
  const set = useCallback(
    (written: Value) => {
      const [first = '', ...rest] = path.split('.')
      latest.current.setData({ [first]: writePath(latest.current.data[first], rest, written) })
    },
    [path],
  )
  const value = readPath(data, steps) as Value
  const isMixed = mixed?.has(steps[0] ?? '') ?? false
  // the same object while nothing about it changes, so that of fifty fields only the one that is written is drawn anew
  return useMemo(
    () => ({
      id: `${blockId}-${path}`,
      place: `${blockId}/${path}`,
      value,
      set,
      readOnly,
      mixed: isMixed,
      ...texts,
      error,
    }),
    [blockId, path, value, set, readOnly, isMixed, texts, error],
  )
}
