import { useTranslation } from 'react-i18next'
import { sourceCaps } from '../../../server/contracts/sources'
import { GeneralProblem } from '../../answers/GeneralProblem'
import { fieldsOf } from '../../api/failure'
import { MarkdownEditor, type MarkdownText, markdownText } from '../../text/markdown/MarkdownEditor'
import { TextField } from '../../ui/TextField'

export interface TextDraft {
  title: string
  text: MarkdownText
}

export const textDraftOf = (title: string, markdown: string): TextDraft => ({ title, text: markdownText(markdown) })

/** Whether an error prevents saving. */
export const hasTextProblem = ({ title, text }: TextDraft): boolean =>
  title.trim() === '' || isBlank(text) || text.length > sourceCaps.text

const isBlank = ({ blocks }: MarkdownText) =>
  blocks.every(({ children }) => children.every(({ text }) => text.trim() === ''))

interface TextFieldsProps {
  draft: TextDraft
  /** initial Markdown */
  initial: string
  /** saving was attempted: missing fields are marked */
  tried: boolean
  error: Error | null
  onChange: (draft: TextDraft) => void
}

/** Title and text of a text source, with errors. */
export function TextFields({ draft, initial, tried, error, onChange }: TextFieldsProps) {
  const { t } = useTranslation('newSource')
  const fields = fieldsOf(error)
  const missing = tried && isBlank(draft.text) ? t('text.textEmpty') : undefined
  return (
    <>
      <GeneralProblem error={error} fields={['title', 'markdown']} />
      <TextField
        label={t('text.title')}
        value={draft.title}
        maxLength={sourceCaps.title}
        error={tried && draft.title.trim() === '' ? t('text.titleEmpty') : fields.title}
        onChange={(event) => onChange({ ...draft, title: event.currentTarget.value })}
      />
      <MarkdownEditor
        label={t('text.text')}
        placeholder={t('text.placeholder')}
        initial={initial}
        max={sourceCaps.text}
        error={missing ?? fields.markdown}
        onChange={(text) => onChange({ ...draft, text })}
      />
    </>
  )
}
