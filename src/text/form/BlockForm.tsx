import { type ReactNode, useMemo } from 'react'
import type { z } from 'zod'
import { problemsOf } from '../../../engine/values/issues'
import type { BlockEditorProps } from '../blockEditor'
import styles from './form.module.css'
import { FormContext, type FormState } from './formContext'

/**
 * The form of a block: fields find their values, texts and errors by path. What the schema refuses is said at its field and
 * kept in the document as it was typed.
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
  const { data } = editor
  const issues = useMemo(() => problemsOf(schema.safeParse(data).error?.issues ?? []), [schema, data])
  return (
    <FormContext value={{ ...(editor as unknown as FormState), issues }}>
      <div className={styles.form}>{children}</div>
    </FormContext>
  )
}
