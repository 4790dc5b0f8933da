import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { BlockView } from '../../engine/document/commands'
import { type DynamicValue, staticValue } from '../../engine/values/dynamicValue'
import type { RichText } from '../../engine/values/richText'
import type { CardText } from '../ui/blockFace'
import type { BlockEditorProps } from './blockEditor'
import { CardLine } from './CardLine'
import type { CardField } from './cardField'
import { DynamicInput } from './DynamicInput'
import { FormContext, type FormState, useField, useForm } from './form/formContext'
import { RichTextEditor } from './RichTextEditor'

interface CardTextEditorProps extends Pick<BlockEditorProps, 'setData' | 'document'> {
  block: BlockView
  text: CardText
  /** the title of the block's kind */
  title: string
  card: CardField
}

/** The editor of a text on the card: the same as in the block's form, without its surroundings. */
export function CardTextEditor({ block, setData, document, ...field }: CardTextEditorProps) {
  const form = useMemo(
    (): FormState => ({
      blockId: block.id,
      kind: block.kind,
      data: block.data,
      setData: setData as FormState['setData'],
      issues: [],
      document,
      readOnly: false,
    }),
    [block, setData, document],
  )
  return (
    <FormContext value={form}>
      <Field {...field} />
    </FormContext>
  )
}

function Field(props: FieldProps) {
  if (props.text.rich) return <RichCardText {...props} />
  return props.text.plain ? <PlainCardText {...props} /> : <LineCardText {...props} />
}

type FieldProps = Pick<CardTextEditorProps, 'text' | 'title' | 'card'>

function RichCardText({ text, title, card }: FieldProps) {
  const field = useField<RichText | undefined>(text.path)
  const { document, blockId } = useForm()
  return (
    <RichTextEditor
      value={field.value ?? []}
      text={document.text(blockId, text.path)}
      place={field.place}
      undo={document.undo}
      label={`${title}: ${field.label}`}
      max={text.max}
      placeholder={field.placeholder}
      card={card}
    />
  )
}

function LineCardText({ text, title, card }: FieldProps) {
  const field = useField<DynamicValue | undefined>(text.path)
  const { document } = useForm()
  return (
    <DynamicInput
      value={field.value ?? staticValue('')}
      onChange={(value) => document.commands.typing(() => field.set(value))}
      undo={document.undo}
      label={`${title}: ${field.label}${usePlace(text)}`}
      max={text.max}
      placeholder={field.placeholder}
      card={card}
    />
  )
}

function PlainCardText({ text, title, card }: FieldProps) {
  const field = useField<string | undefined>(text.path)
  const { document } = useForm()
  return (
    <CardLine
      value={field.value ?? ''}
      onChange={(value) => document.commands.typing(() => field.set(value))}
      label={`${title}: ${field.label}${usePlace(text)}`}
      max={text.max}
      placeholder={field.placeholder}
      card={card}
    />
  )
}

/** The position of a text in a list, " 2 of 3". */
function usePlace({ item }: CardText): string {
  const { t } = useTranslation('text')
  return item ? ` ${t('form.place', { place: item.place + 1, count: item.count })}` : ''
}
