import { useQuery } from '@tanstack/react-query'
import { BookOpen } from 'lucide-react'
import { type SubmitEvent, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DocsPlace, MOST_QUESTION } from '../../../server/contracts/documentation'
import { docsAnswerQuery } from '../../api/documentation'
import { failureText } from '../../api/failure'
import { MarkdownView } from '../../text/markdown/MarkdownView'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { TextField } from '../../ui/TextField'
import styles from './askDocs.module.css'

/** A question about Parley itself, answered from its documentation by the built-in model. */
export function AskDocs() {
  const { t } = useTranslation('firstSteps')
  const [question, setQuestion] = useState('')
  const [asked, setAsked] = useState('')
  const [empty, setEmpty] = useState(false)
  const answer = useQuery({ ...docsAnswerQuery(asked), enabled: asked !== '' })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const wanted = question.trim()
    setEmpty(wanted === '')
    if (wanted.length > MOST_QUESTION || wanted === '') return
    if (wanted === asked && answer.isError) void answer.refetch()
    setAsked(wanted)
  }
  return (
    <Card
      title={t('askDocs.title')}
      description={t('askDocs.why')}
      actions={
        <a className={styles.all} href="/docs/" target="_blank" rel="noreferrer">
          <BookOpen size={14} aria-hidden /> {t('askDocs.all')}
        </a>
      }
    >
      <form className={styles.form} onSubmit={submit} noValidate>
        <TextField
          aria-label={t('askDocs.question')}
          placeholder={t('askDocs.placeholder')}
          value={question}
          maxLength={MOST_QUESTION}
          error={empty ? t('askDocs.empty') : undefined}
          onChange={({ currentTarget }) => {
            setQuestion(currentTarget.value)
            setEmpty(false)
          }}
        />
        <Button type="submit" loading={answer.isFetching}>
          {t('askDocs.ask')}
        </Button>
      </form>
      <div aria-live="polite" aria-busy={answer.isFetching}>
        {asked !== '' && answer.isError && (
          <p className={styles.problem}>{failureText(answer.error, t('askDocs.failed'))}</p>
        )}
        {answer.data && <Answer {...answer.data} />}
      </div>
    </Card>
  )
}

function Answer({ text, unsure, places }: { text: string | null; unsure: boolean; places: readonly DocsPlace[] }) {
  const { t } = useTranslation('firstSteps')
  const cite = useCallback(
    (number: number) => {
      const place = places[number - 1]
      return place ? (
        <sup>
          <a href={place.path} target="_blank" rel="noreferrer" aria-label={t('askDocs.from', { title: place.title })}>
            {number}
          </a>
        </sup>
      ) : null
    },
    [places, t],
  )
  return (
    <div className={styles.answer}>
      {text === null && <p>{t(places.length > 0 ? 'askDocs.none' : 'askDocs.nothing')}</p>}
      {unsure && <p className={styles.unsure}>{t('askDocs.unsure')}</p>}
      {text !== null && <MarkdownView markdown={text} cite={cite} />}
      <ul className={styles.places}>
        {places.map(({ title, path }) => (
          <li key={path}>
            <a href={path} target="_blank" rel="noreferrer">
              {title}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
