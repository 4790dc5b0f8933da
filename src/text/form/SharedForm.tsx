import { useMemo } from 'react'
import type { AnyBlock } from '../../../engine/flow/defineBlock'
import { problemsOf } from '../../../engine/values/issues'
import type { Json } from '../../../engine/values/json'
import type { BlockEditorProps } from '../blockEditor'
import styles from './form.module.css'
import { FormContext, type FormState, useField } from './formContext'
import { mixedFields, type SharedField, sharedFields } from './sharedFields'
import { VariableField } from './VariableField'
import { NumberField, SelectField, ToggleField } from './valueFields'

interface SharedFormProps extends Pick<BlockEditorProps, 'setData' | 'document' | 'readOnly'> {
  definition: AnyBlock
  /** the data of each block, at least one */
  all: readonly Readonly<Record<string, Json>>[]
  /** shown if the kind has no simple settings */
  empty: React.ReactNode
}

/** Common settings of several blocks of one kind: differing values are marked, and changes apply to all. */
export function SharedForm({ definition, all, empty, setData, document, readOnly }: SharedFormProps) {
  const [first = NOTHING] = all
  const fields = useMemo(() => sharedFields(definition, first), [definition, first])
  const form = useMemo((): FormState => {
    const mixed = mixedFields(
      fields.map(({ name }) => name),
      all,
    )
    const issues = problemsOf(definition.schema.safeParse(first).error?.issues ?? [])
    return {
      blockId: 'several',
      kind: definition.kind,
      data: first,
      setData: (patch) => setData(patch as Record<string, Json>),
      issues: issues.filter(({ path }) => !mixed.has(String(path[0]))),
      mixed,
      document,
      readOnly,
    }
  }, [definition, fields, first, all, setData, document, readOnly])
  return (
    <FormContext value={form}>
      <div className={styles.form}>
        {fields.length === 0 ? empty : fields.map((field) => <Shared key={field.name} field={field} />)}
      </div>
    </FormContext>
  )
}

/** Settings without texts are internal to the form. */
function Shared({ field }: { field: SharedField }) {
  const { label, text } = useField(field.name)
  if (label === '') return null
  if (field.as === 'toggle') return <ToggleField name={field.name} />
  if (field.as === 'number') return <NumberField name={field.name} optional={field.optional} />
  if (field.as === 'variable') return <VariableField name={field.name} />
  const isNamed = field.options.every((option) => text(`options.${option}`) !== '')
  return isNamed ? <SelectField name={field.name} options={field.options} /> : null
}

const NOTHING = {}
