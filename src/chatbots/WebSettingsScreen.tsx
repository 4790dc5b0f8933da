import { type ReactNode, type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { z } from 'zod'
import type { SettingsRoutes } from '../../server/contracts/web'
import { useCan } from '../api/account'
import { failureText, fieldsOf } from '../api/failure'
import { fieldErrors } from '../api/validate'
import { type ChatbotPlace, useWebSettings } from '../api/webSettings'
import { ErrorCard } from '../ui/ErrorCard'
import { LeaveGuard } from '../ui/LeaveGuard'
import { LoadingState } from '../ui/LoadingState'
import { notify } from '../ui/notify'
import { PageHeader } from '../ui/PageHeader'
import { ReadOnlyNotice } from '../ui/ReadOnlyNotice'
import { SaveBar } from '../ui/SaveBar'
import { SettingsStack } from '../ui/SettingsStack'

/** What the parts of a form are given. */
export interface SettingsForm<Settings> {
  draft: Settings
  /** puts parts of the settings in place of those that are there */
  change: (part: Partial<Settings>) => void
  /** what is wrong with which field, by its path with dots */
  wrong: Readonly<Record<string, string>>
  readOnly: boolean
  place: ChatbotPlace
}

interface WebSettingsScreenProps<Settings> {
  title: string
  description: string
  routes: SettingsRoutes<Settings>
  schema: z.ZodType<Settings>
  /** the feature of the roles map that saving wants */
  feature: string
  /** cards before the form, which save by themselves */
  before?: (place: ChatbotPlace) => ReactNode
  /** cards after the form, which save by themselves */
  after?: (place: ChatbotPlace, readOnly: boolean) => ReactNode
  children: (form: SettingsForm<Settings>) => ReactNode
}

/** A screen of settings that are saved together and apply at once. */
export function WebSettingsScreen<Settings extends object>(props: WebSettingsScreenProps<Settings>) {
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const place = { pgid, cgid }
  const { query, change } = useWebSettings(props.routes, place)
  const mayUpdate = useCan(props.feature)
  const { data, error, refetch } = query
  return (
    <>
      <PageHeader title={props.title} description={props.description} />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : data ? (
        <SettingsStack key={cgid}>
          {!mayUpdate && <ReadOnlyNotice>{common('webSettings.readOnly')}</ReadOnlyNotice>}
          {props.before?.(place)}
          <Form {...props} place={place} saved={data} change={change} readOnly={!mayUpdate} />
          {props.after?.(place, !mayUpdate)}
        </SettingsStack>
      ) : (
        <LoadingState rows={3} height={132} />
      )}
    </>
  )
}

interface FormProps<Settings> extends WebSettingsScreenProps<Settings> {
  place: ChatbotPlace
  saved: Settings
  change: ReturnType<typeof useWebSettings<Settings>>['change']
  readOnly: boolean
}

function Form<Settings extends object>({ saved, change, schema, readOnly, place, children }: FormProps<Settings>) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(saved)
  const [asked, setAsked] = useState(false)
  const changed = JSON.stringify(draft) !== JSON.stringify(saved)
  const refused = Object.fromEntries(
    Object.entries(fieldsOf(change.error)).map(([path, message]) => [path.replace(/^settings\./, ''), message]),
  )
  const wrong = asked ? { ...refused, ...fieldErrors(schema, draft) } : {}
  const isWrong = Object.keys(wrong).length > 0
  const problem = isWrong
    ? t('webSettings.fix')
    : change.error && asked
      ? failureText(change.error, t('errors.message'))
      : null
  function edit(part: Partial<Settings>): void {
    if (change.error) change.reset()
    setDraft({ ...draft, ...part })
  }
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    setAsked(true)
    if (Object.keys(fieldErrors(schema, draft)).length > 0) return
    change.mutate(draft, {
      onSuccess: (settings) => {
        setDraft(settings)
        setAsked(false)
        notify.success(t('webSettings.saved'))
      },
    })
  }
  return (
    <form onSubmit={submit} noValidate>
      <SettingsStack>
        {children({ draft, change: edit, wrong, readOnly, place })}
        {changed && !readOnly && (
          <SaveBar
            message={problem ?? t('webSettings.unsaved')}
            problem={problem !== null}
            loading={change.isPending}
            onDiscard={() => {
              change.reset()
              setAsked(false)
              setDraft(saved)
            }}
          />
        )}
      </SettingsStack>
      <LeaveGuard
        isUnsaved={() => changed && !readOnly}
        title={t('webSettings.leaveTitle')}
        message={t('webSettings.leaveMessage')}
        confirm={t('webSettings.leave')}
      />
    </form>
  )
}
