import { useTranslation } from 'react-i18next'
import { type Faq, sourceCaps } from '../../server/contracts/sources'
import { fieldsOf } from '../api/failure'
import { TextArea } from '../ui/TextArea'
import { TextField } from '../ui/TextField'
import { GeneralProblem } from './GeneralProblem'
import { linesOf, listProblems } from './lines'

/** An entry as typed: other phrasings one per line. */
export interface FaqDraft {
  question: string
  phrasings: string
  answer: string
}

export const emptyFaq: FaqDraft = { question: '', phrasings: '', answer: '' }
export const faqOf = ({ question, phrasings, answer }: FaqDraft): Faq => ({
  question: question.trim(),
  phrasings: linesOf(phrasings),
  answer: answer.trim(),
})
export const isFaqComplete = ({ question, answer }: FaqDraft): boolean => question.trim() !== '' && answer.trim() !== ''

interface FaqFieldsProps {
  draft: FaqDraft
  tried: boolean
  error: Error | null
  onChange: (draft: FaqDraft) => void
}

/** Question, phrasings and answer, with errors. */
export function FaqFields({ draft, tried, error, onChange }: FaqFieldsProps) {
  const { t } = useTranslation('newSource')
  const fields = fieldsOf(error)
  const wrong = listProblems(fields, 'phrasings')
  const phrasings =
    wrong.length > 0
      ? wrong.map(([at, problem]) => t('faq.line', { line: at + 1, problem })).join(' ')
      : fields.phrasings
  return (
    <>
      <GeneralProblem error={error} fields={['question', 'phrasings', 'answer']} />
      <TextField
        label={t('faq.question')}
        value={draft.question}
        maxLength={sourceCaps.question}
        error={tried && draft.question.trim() === '' ? t('faq.questionEmpty') : fields.question}
        onChange={(event) => onChange({ ...draft, question: event.currentTarget.value })}
      />
      <TextArea
        label={t('faq.phrasings')}
        description={t('faq.phrasingsHint')}
        value={draft.phrasings}
        minRows={2}
        error={phrasings}
        onChange={(event) => onChange({ ...draft, phrasings: event.currentTarget.value })}
      />
      <TextArea
        label={t('faq.answer')}
        description={t('faq.answerHint')}
        value={draft.answer}
        minRows={3}
        maxRows={14}
        maxLength={sourceCaps.answer}
        error={tried && draft.answer.trim() === '' ? t('faq.answerEmpty') : fields.answer}
        onChange={(event) => onChange({ ...draft, answer: event.currentTarget.value })}
      />
    </>
  )
}
