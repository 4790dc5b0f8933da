import { type FocusEvent, type ReactNode, useMemo, useState } from 'react'
import type { z } from 'zod'
import { problemsOf } from '../../../engine/values/issues'
import type { BlockEditorProps } from '../blockEditor'
import styles from './form.module.css'
import { FormContext, type FormState } from './formContext'

/**
 * The form of a block: fields find their values, texts and errors by path. Errors of the schema are shown at a field
 * after it is left; invalid values are stored as typed.
 */
export function BlockForm<Data>({
  editor,
  schema,
  children,
}: {
  editor: BlockEditorProps<Data>
  schema: z.ZodType<Data>
  children: ReactNode
}) {
  const { data, blockId } = editor
  const issues = useMemo(() => problemsOf(schema.safeParse(data).error?.issues ?? []), [schema, data])
  const [writing, setWriting] = useState<Writing | null>(null)
  const come = ({ target }: FocusEvent) => {
    const place = target.closest<HTMLElement>('[data-field]')?.dataset.field
    setWriting(place ? { path: `${place.slice(blockId.length + 1)}.`, known: new Set(issues.map(keyOf)) } : null)
  }
  const shown = writing
    ? issues.filter((issue) => !`${issue.path.join('.')}.`.startsWith(writing.path) || writing.known.has(keyOf(issue)))
    : issues
  return (
    <FormContext value={{ ...(editor as unknown as FormState), issues: shown }}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: hears where the focus is within, and acts on nothing */}
      <div className={styles.form} onFocus={come} onBlur={() => setWriting(null)}>
        {children}
      </div>
    </FormContext>
  )
}

/** The focused field, and the form's errors when it got the focus. */
interface Writing {
  path: string
  known: ReadonlySet<string>
}

const keyOf = ({ path, message }: { path: readonly PropertyKey[]; message: string }) => `${path.join('.')} ${message}`
