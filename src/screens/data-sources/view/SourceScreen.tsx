import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, RotateCw, Square, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import type { Source, SourceDetail } from '../../../../server/contracts/sources'
import { useCan } from '../../../api/account'
import { ApiFailure, failureText } from '../../../api/failure'
import { type ChatbotPlace, sourceQuery, underWay, useSourceChanges } from '../../../api/sources'
import { Button } from '../../../ui/Button'
import { ErrorCard } from '../../../ui/ErrorCard'
import { LoadingState } from '../../../ui/LoadingState'
import { notify } from '../../../ui/notify'
import { PageHeader } from '../../../ui/PageHeader'
import { DeleteDialog } from '../DeleteDialog'
import { mayBeReadAgain } from '../kinds'
import { SourceStatusBadge } from '../SourceStatusBadge'
import { PlantedTexts } from './PlantedTexts'
import { SourceContent } from './SourceContent'
import { SourceFacts } from './SourceFacts'
import styles from './source.module.css'

/** /data-sources/:gid: a source's content, state, and actions. */
export function SourceScreen() {
  const { t } = useTranslation('sources')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '', gid = '' } = useParams()
  const place = { pgid, cgid }
  const list = `/projects/${pgid}/chatbots/${cgid}/data-sources`
  const { data, error, refetch } = useQuery(sourceQuery(place, gid))
  const isGone = error instanceof ApiFailure && error.status === 404
  return (
    <>
      <Link className={styles.back} to={list}>
        <ArrowLeft size={14} aria-hidden /> {t('view.back')}
      </Link>
      {data && !isGone ? (
        <Loaded key={gid} place={place} detail={data} list={list} />
      ) : error ? (
        <ErrorCard
          screen
          message={isGone ? t('view.gone') : failureText(error, common('errors.message'))}
          action={
            isGone
              ? { label: t('view.back'), to: list }
              : { label: common('actions.retry'), onClick: () => void refetch() }
          }
        />
      ) : (
        <LoadingState rows={4} height={56} />
      )}
    </>
  )
}

function Loaded({ place, detail, list }: { place: ChatbotPlace; detail: SourceDetail; list: string }) {
  const { t } = useTranslation('sources')
  const { source } = detail
  const { title, status, reason, kind } = source
  return (
    <>
      <PageHeader
        title={title}
        description={
          <span className={styles.state}>
            {t(`kind.${kind}`)} <SourceStatusBadge status={status} />
          </span>
        }
        actions={<Actions place={place} source={source} list={list} />}
      />
      <div className={styles.columns}>
        <div className={styles.main}>
          {reason && (
            <p className={styles.reason} data-tone={status === 'error' ? 'danger' : undefined}>
              {reason}
            </p>
          )}
          <PlantedTexts place={place} gid={source.gid} planted={detail.planted} />
          <SourceContent place={place} detail={detail} />
        </div>
        <SourceFacts place={place} source={source} />
      </div>
    </>
  )
}

function Actions({ place, source, list }: { place: ChatbotPlace; source: Source; list: string }) {
  const { t } = useTranslation('sources')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { again, stop, remove } = useSourceChanges(place)
  const [deleting, setDeleting] = useState(false)
  const mayAgain = useCan('knowledge_base.resync')
  const mayStop = useCan('knowledge_base.update')
  const mayDelete = useCan('knowledge_base.delete')
  const { gid, title, status } = source
  const busy = underWay.includes(status)
  const onError = (error: unknown) => notify.error(failureText(error, common('errors.message')))
  return (
    <>
      {busy
        ? mayStop && (
            <Button icon={<Square />} loading={stop.isPending} onClick={() => stop.mutate([gid], { onError })}>
              {t('view.stop')}
            </Button>
          )
        : mayAgain &&
          mayBeReadAgain(source) && (
            <Button
              icon={<RotateCw />}
              loading={again.isPending}
              onClick={() =>
                again.mutate([gid], { onSuccess: (count) => notify.success(t('again', { count })), onError })
              }
            >
              {t('view.again')}
            </Button>
          )}
      {mayDelete && (
        <Button icon={<Trash2 />} onClick={() => setDeleting(true)}>
          {t('view.delete')}
        </Button>
      )}
      {deleting && (
        <DeleteDialog
          gids={[gid]}
          title={title}
          remove={remove}
          onClose={() => setDeleting(false)}
          onDeleted={() => navigate(list)}
        />
      )}
    </>
  )
}
