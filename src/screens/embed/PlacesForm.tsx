import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type EmbedSettings, embedSchema } from '../../../server/contracts/web/settings'
import { useEmbedChanges } from '../../api/embed'
import { ApiFailure, failureText } from '../../api/failure'
import { fieldErrors } from '../../api/validate'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import { SaveBar } from '../../ui/SaveBar'
import { Switch } from '../../ui/Switch'
import { TextArea } from '../../ui/TextArea'
import { TextField } from '../../ui/TextField'
import styles from './embed.module.css'

interface PlacesFormProps {
  pgid: string
  cgid: string
  settings: EmbedSettings
  readOnly: boolean
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Which sites may show the chatbot, on which of their pages it hides, and what it keeps and tells there. */
export function PlacesForm({ pgid, cgid, settings, readOnly }: PlacesFormProps) {
  const { t } = useTranslation('embed')
  const { t: common } = useTranslation()
  const [saved, setSaved] = useState(settings)
  const [draft, setDraft] = useState(settings)
  const [domains, setDomains] = useState(settings.whitelisted_domains.join('\n'))
  const [hidden, setHidden] = useState(settings.hide_urls.join('\n'))
  const { save } = useEmbedChanges({ pgid, cgid })
  const next = { ...draft, whitelisted_domains: linesOf(domains), hide_urls: linesOf(hidden) }
  const changed = JSON.stringify(next) !== JSON.stringify(saved)
  const wrong = {
    ...fieldErrors(embedSchema, next),
    ...(save.error instanceof ApiFailure ? save.error.fields : {}),
  }
  const problemOf = (field: string) =>
    Object.entries(wrong).find(([path]) => path.replace('settings.', '').split('.')[0] === field)?.[1]
  const set = (change: Partial<EmbedSettings>) => {
    save.reset()
    setDraft({ ...draft, ...change })
  }
  const take = (taken: EmbedSettings) => {
    setSaved(taken)
    setDraft(taken)
    setDomains(taken.whitelisted_domains.join('\n'))
    setHidden(taken.hide_urls.join('\n'))
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    save.mutate(next, {
      onSuccess: (answer) => {
        take(answer.settings)
        notify.success(t('saved'))
      },
    })
  }
  const isWrong = Object.keys(wrong).length > 0
  const failed = save.error && !isWrong ? failureText(save.error, common('errors.message')) : null
  return (
    <form className={styles.form} onSubmit={submit}>
      <Card title={t('sites.title')} description={t('sites.description')}>
        <div className={styles.parts}>
          <Switch
            label={t('sites.enabled')}
            description={t('sites.enabledHelp')}
            checked={draft.enabled}
            disabled={readOnly}
            onChange={(event) => set({ enabled: event.currentTarget.checked })}
          />
          <TextArea
            label={t('sites.domains')}
            description={t('sites.domainsHelp')}
            placeholder={'example.com\n*.example.com'}
            value={domains}
            readOnly={readOnly}
            spellCheck={false}
            error={problemOf('whitelisted_domains')}
            onChange={(event) => {
              save.reset()
              setDomains(event.currentTarget.value)
            }}
          />
          <Switch
            label={t('sites.consent')}
            description={t('sites.consentHelp')}
            checked={draft.consent}
            disabled={readOnly}
            onChange={(event) => set({ consent: event.currentTarget.checked })}
          />
          <Switch
            label={t('sites.dataLayer')}
            description={t('sites.dataLayerHelp')}
            checked={draft.data_layer}
            disabled={readOnly}
            onChange={(event) => set({ data_layer: event.currentTarget.checked })}
          />
        </div>
      </Card>
      <Card title={t('hide.title')} description={t('hide.description')}>
        <div className={styles.parts}>
          <TextArea
            label={t('hide.urls')}
            description={t('hide.urlsHelp')}
            placeholder={'/checkout\n/account/*'}
            value={hidden}
            readOnly={readOnly}
            spellCheck={false}
            error={problemOf('hide_urls')}
            onChange={(event) => {
              save.reset()
              setHidden(event.currentTarget.value)
            }}
          />
          <div className={styles.pair}>
            <TextField
              label={t('hide.class')}
              placeholder={t('hide.classExample')}
              value={draft.excluded_class}
              maxLength={100}
              readOnly={readOnly}
              spellCheck={false}
              error={problemOf('excluded_class')}
              onChange={(event) => set({ excluded_class: event.currentTarget.value })}
            />
            <TextField
              label={t('hide.id')}
              placeholder={t('hide.idExample')}
              value={draft.excluded_id}
              maxLength={100}
              readOnly={readOnly}
              spellCheck={false}
              error={problemOf('excluded_id')}
              onChange={(event) => set({ excluded_id: event.currentTarget.value })}
            />
          </div>
          <p className={styles.hint}>{t('hide.elementsHelp')}</p>
        </div>
      </Card>
      {changed && (
        <SaveBar
          message={failed ?? (isWrong ? t('wrong') : t('unsaved'))}
          problem={failed !== null || isWrong}
          loading={save.isPending}
          disabled={isWrong}
          onDiscard={() => {
            save.reset()
            take(saved)
          }}
        />
      )}
    </form>
  )
}
