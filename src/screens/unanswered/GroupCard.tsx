import { BookOpen, CheckCheck, MessageCircleQuestionMark, MessageSquarePlus, Undo2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { UnansweredGroup, UnansweredKind } from '../../../server/contracts/unanswered'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { useUnansweredChanges } from '../../api/unanswered'
import { formatDate } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { notify } from '../../ui/notify'
import styles from './unanswered.module.css'

interface GroupCardProps {
  pgid: string
  cgid: string
  show: UnansweredKind
  group: UnansweredGroup
  /** the chatbot that has the sources */
  knowledgeOf: string
  onAnswer: () => void
}

/** Alike questions, the passage that comes nearest, and what can be done about them. */
export function GroupCard({ pgid, cgid, show, group, knowledgeOf, onAnswer }: GroupCardProps) {
  const { t } = useTranslation('unanswered')
  const { t: common } = useTranslation()
  const { putAside, addPhrasings } = useUnansweredChanges(pgid, cgid, show)
  const mayUpdate = useCan('knowledge_base.update')
  const mayCreate = useCan('knowledge_base.create')
  const { questions, nearest, said } = group
  const [first, ...others] = questions
  const isEntry = nearest?.source.kind === 'faq'
  const onError = (error: Error) => notify.error(failureText(error, common('errors.message')))
  // the card is gone by the time: what is said then is no part of it
  const aside = () =>
    putAside.mutateAsync({ group, handled: true }).then(
      () =>
        notify.withAction(
          <span className={styles.done}>
            {t('asideDone')}
            <Button size="s" icon={<Undo2 />} onClick={() => putAside.mutate({ group, handled: false }, { onError })}>
              {t('undo')}
            </Button>
          </span>,
        ),
      onError,
    )
  const same = (entry: { source: string; heading: string }) =>
    addPhrasings
      .mutateAsync({ group, source: entry.source, knowledgeOf })
      .then(() => notify.success(t('phrasingsDone', { entry: entry.heading })), onError)
  return (
    <li className={styles.group}>
      <div className={styles.asked}>
        <h2 className={styles.question}>{first?.question}</h2>
        <p className={styles.facts}>
          {t('asked', { count: group.asked })} · {t('last', { at: formatDate(group.last_at) })}
        </p>
        {others.length > 0 && (
          <details className={styles.others}>
            <summary>{t('others', { count: others.length })}</summary>
            <ul>
              {others.map(({ wording, question, asked }) => (
                <li key={wording}>
                  {question} <span className={styles.times}>{t('times', { count: asked })}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <div className={styles.nearest}>
        {said !== null && (
          <>
            <h3 className={styles.label}>{t('said')}</h3>
            <p className={styles.said}>
              <MessageCircleQuestionMark size={14} aria-hidden />
              <span>{said}</span>
            </p>
          </>
        )}
        <h3 className={styles.label}>{t('nearest')}</h3>
        {nearest ? (
          <>
            <p className={styles.source}>
              <BookOpen size={14} aria-hidden />
              {nearest.heading || nearest.source.title}
            </p>
            <p className={styles.text}>{nearest.text}</p>
          </>
        ) : (
          <p className={styles.text}>{t('nothingNear')}</p>
        )}
      </div>
      <div className={styles.actions}>
        {mayCreate && (
          <Button size="s" design="primary" icon={<MessageSquarePlus />} onClick={onAnswer}>
            {t(said === null ? 'answer' : 'confirm')}
          </Button>
        )}
        {mayUpdate && isEntry && (
          <Button
            size="s"
            icon={<BookOpen />}
            loading={addPhrasings.isPending}
            onClick={() => void same({ source: nearest.source.gid, heading: nearest.heading })}
          >
            {t('sameAs')}
          </Button>
        )}
        {mayUpdate && (
          <Button
            size="s"
            design="ghost"
            icon={<CheckCheck />}
            loading={putAside.isPending}
            onClick={() => void aside()}
          >
            {t('aside')}
          </Button>
        )}
      </div>
    </li>
  )
}
