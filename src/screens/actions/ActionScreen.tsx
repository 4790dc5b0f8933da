import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { actionQuery } from '../../api/actions'
import { ApiFailure, failureText } from '../../api/failure'
import type { ChatbotPlace } from '../../api/sources'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { ActionEditor } from './ActionEditor'
import { isActionKind, newAction } from './kinds'

/** /actions/:actionId: an existing action. */
export function ActionScreen() {
  const { t } = useTranslation('actions')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '', actionId = '' } = useParams()
  const place = { pgid, cgid }
  const { data, error, refetch } = useQuery(actionQuery(place, actionId))
  const isGone = error instanceof ApiFailure && error.status === 404
  if (data) return <ActionEditor key={data.gid} place={place} stored={data} begin={data.action} />
  if (!error) return <LoadingState rows={4} height={96} />
  return (
    <ErrorCard
      screen
      message={isGone ? t('gone') : failureText(error, common('errors.message'))}
      action={
        isGone
          ? { label: t('toList'), to: `/projects/${pgid}/chatbots/${cgid}/actions` }
          : { label: common('actions.retry'), onClick: () => void refetch() }
      }
    />
  )
}

/** /actions/new/:slug: a new action. */
export function NewActionFormScreen() {
  const { pgid = '', cgid = '', slug = '' } = useParams()
  return <NewEditor key={slug} place={{ pgid, cgid }} slug={slug} />
}

function NewEditor({ place, slug }: { place: ChatbotPlace; slug: string }) {
  const { t } = useTranslation('actions')
  const navigate = useNavigate()
  const [begin] = useState(() => (isActionKind(slug) ? newAction(slug, (key) => t(`begin.${key}`)) : null))
  const list = `/projects/${place.pgid}/chatbots/${place.cgid}/actions`
  if (!begin) {
    return (
      <ErrorCard
        screen
        message={t('noKind', { slug })}
        action={{ label: t('choose.title'), onClick: () => void navigate(`${list}/new`) }}
      />
    )
  }
  return <ActionEditor place={place} stored={null} begin={begin} />
}
