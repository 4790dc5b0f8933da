import { BookOpen, CircleHelp, MessageSquare, Quote } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type EvaluationBody, evaluationBody } from '../../server/contracts/evaluations'
import { useCan } from '../api/account'
import { ApiFailure, failureText } from '../api/failure'
import { fieldErrors } from '../api/validate'
import { Button } from '../ui/Button'
import { Choice, Choices } from '../ui/Choices'
import { Modal, ModalActions } from '../ui/Modal'
import { TextArea } from '../ui/TextArea'
import styles from './evaluationDialog.module.css'
import { KeptFrom } from './KeptFrom'
import { linesOf } from './lines'
import { SourceSelect } from './SourceSelect'

type Expect = 'words' | 'source' | 'any' | 'unknown'

interface EvaluationDialogProps {
  pgid: string
  cgid: string
  title: string
  submit: string
  /** the initial values */
  value: EvaluationBody & { source_title?: string | null }
  loading: boolean
  error: unknown
  onSubmit: (body: EvaluationBody) => void
  onClose: () => void
}

/** The form of an evaluation question: the question, and what a right answer must fulfil. Mount it to open it. */
export function EvaluationDialog({ title, ...rest }: EvaluationDialogProps) {
  return (
    <Modal opened onClose={rest.onClose} title={title} size="lg">
      <EvaluationForm {...rest} />
    </Modal>
  )
}

function EvaluationForm({
  pgid,
  cgid,
  submit,
  value,
  loading,
  error,
  onSubmit,
  onClose,
}: Omit<EvaluationDialogProps, 'title'>) {
  const { t } = useTranslation('answers')
  const { t: common } = useTranslation()
  // without the right to view sources, only the cited one can be chosen
  const mayName = useCan('knowledge_base.view') || value.source !== null
  const [question, setQuestion] = useState(value.question)
  const [expect, setExpect] = useState<Expect>(expectOf(value))
  const [words, setWords] = useState(value.words.join('\n'))
  const [source, setSource] = useState(value.source)
  const [kept, setKept] = useState(value.kept)
  const [tried, setTried] = useState(false)
  const body: EvaluationBody = {
    question,
    words: expect === 'words' ? linesOf(words) : [],
    source: expect === 'source' ? source : null,
    unknown: expect === 'unknown',
    ...(kept && kept.before.length + kept.actions.length > 0 && { kept }),
  }
  const own = fieldErrors(evaluationBody, body)
  const refused = error instanceof ApiFailure ? error.fields : {}
  const wrong = (field: string) => (tried ? own[field] : undefined) ?? refused[field]
  const wordsWrong =
    tried && expect === 'words' && body.words.length === 0
      ? t('evaluation.wordsEmpty')
      : (wrong('words') ?? Object.entries(tried ? own : refused).find(([field]) => field.startsWith('words.'))?.[1])
  const sourceWrong = tried && expect === 'source' && !source ? t('evaluation.sourcePick') : wrong('source')
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    const missing = (expect === 'words' && body.words.length === 0) || (expect === 'source' && !source)
    if (Object.keys(own).length === 0 && !missing) onSubmit({ ...body, question: question.trim() })
  }
  return (
    <form onSubmit={send} className={styles.form} noValidate>
      {error !== null && error !== undefined && Object.keys(refused).length === 0 && (
        <p role="alert" className={styles.alert}>
          {failureText(error, common('errors.message'))}
        </p>
      )}
      <TextArea
        label={t('evaluation.question')}
        value={question}
        error={wrong('question')}
        onChange={(event) => setQuestion(event.currentTarget.value)}
        data-autofocus
      />
      {kept && <KeptFrom kept={kept} onChange={setKept} />}
      {wrong('kept') && (
        <p role="alert" className={styles.alert}>
          {wrong('kept')}
        </p>
      )}
      <Choices label={t('evaluation.expect')} value={expect} onChange={setExpect}>
        <Choice value="words" icon={<Quote />} title={t('evaluation.words')} description={t('evaluation.wordsAbout')} />
        {mayName && (
          <Choice
            value="source"
            icon={<BookOpen />}
            title={t('evaluation.source')}
            description={t('evaluation.sourceAbout')}
          />
        )}
        <Choice
          value="any"
          icon={<MessageSquare />}
          title={t('evaluation.any')}
          description={t('evaluation.anyAbout')}
        />
        <Choice
          value="unknown"
          icon={<CircleHelp />}
          title={t('evaluation.unknown')}
          description={t('evaluation.unknownAbout')}
        />
      </Choices>
      {expect === 'words' && (
        <TextArea
          label={t('evaluation.wordsField')}
          description={t('evaluation.wordsHint')}
          value={words}
          error={wordsWrong}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      )}
      {expect === 'source' && (
        <SourceSelect
          pgid={pgid}
          cgid={cgid}
          label={t('evaluation.sourceField')}
          value={source}
          title={value.source_title ?? null}
          error={sourceWrong}
          onChange={setSource}
        />
      )}
      {wrong('unknown') && (
        <p role="alert" className={styles.alert}>
          {wrong('unknown')}
        </p>
      )}
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button type="submit" design="primary" loading={loading}>
          {submit}
        </Button>
      </ModalActions>
    </form>
  )
}

const expectOf = ({ unknown, source, words, question }: EvaluationBody): Expect => {
  if (unknown) return 'unknown'
  if (source) return 'source'
  // a new question starts with words
  return words.length > 0 || question === '' ? 'words' : 'any'
}
