import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChoiceQuery, VendorConnection, VendorList } from '../../../../server/contracts/integrations'
import { listProblems } from '../../../answers/lines'
import { useCan } from '../../../api/account'
import { failureText } from '../../../api/failure'
import { choicesQuery, integrationsQuery, useIntegrationChanges } from '../../../api/integrations'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { ErrorCard } from '../../../ui/ErrorCard'
import { LoadingState } from '../../../ui/LoadingState'
import { MultiSelect } from '../../../ui/MultiSelect'
import { notify } from '../../../ui/notify'
import { Select } from '../../../ui/Select'
import { TextField } from '../../../ui/TextField'
import { FollowForm } from './FollowForm'
import type { NewSourceProps } from './form'
import styles from './new-source.module.css'

/** Salesforce Knowledge: which account, in which language, and which of the articles' fields everybody may read. */
export function SalesforceForm(props: NewSourceProps) {
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(integrationsQuery(props.place.pgid))
  if (error)
    return (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!data) return <LoadingState rows={3} height={60} />
  const vendor = data.vendors.find(({ slug }) => slug === 'salesforce')
  const own = data.connections.filter((each) => each.vendor === 'salesforce')
  if (own.length === 0 && vendor) return <NotConnected {...props} vendor={vendor} />
  return <Articles {...props} connections={own} />
}

/** Where there is no connection yet: one is made here, or it is said who makes one. */
function NotConnected({ place, vendor }: NewSourceProps & { vendor: VendorList['vendors'][number] }) {
  const { t } = useTranslation('newSource')
  const { t: common } = useTranslation()
  const mayConnect = useCan('integrations.connect')
  const { connect } = useIntegrationChanges(place.pgid)
  const returnTo = `/projects/${place.pgid}/chatbots/${place.cgid}/data-sources/new?kind=link&follow=salesforce`
  const leave = () =>
    connect.mutate(
      { vendor: vendor.slug, area: 'knowledge', returnTo },
      { onError: (error) => notify.error(failureText(error, common('errors.message'))) },
    )
  return (
    <Card>
      <div className={styles.fields}>
        <p className={styles.note}>
          {!vendor.available
            ? t('feed.salesforce.unavailable', { callback: vendor.knowledge_callback ?? '' })
            : t(mayConnect ? 'feed.salesforce.none' : 'feed.salesforce.askAdmin')}
        </p>
        {vendor.available && mayConnect && (
          <div>
            <Button design="primary" loading={connect.isPending || connect.isSuccess} onClick={leave}>
              {t('feed.salesforce.connect')}
            </Button>
          </div>
        )}
      </div>
    </Card>
  )
}

function Articles({ connections, ...props }: NewSourceProps & { connections: readonly VendorConnection[] }) {
  const { t } = useTranslation('newSource')
  const [connection, setConnection] = useState(connections[0]?.gid ?? '')
  const [language, setLanguage] = useState<string | null>(null)
  const [fields, setFields] = useState<string[]>([])
  const [site, setSite] = useState('')
  const of = (list: ChoiceQuery['list']) => choicesQuery(props.place.pgid, connection, list)
  const languages = useQuery(of('article-languages'))
  const offered = useQuery(of('article-fields'))
  const problem = connections.find(({ gid }) => gid === connection)?.problem?.message ?? languages.data?.problem
  const isDirty = language !== null || fields.length > 0 || site !== ''
  const order =
    language === null || fields.length === 0
      ? null
      : { kind: 'salesforce' as const, connection, language, fields, site: site.trim() }
  return (
    <FollowForm
      {...props}
      kind="salesforce"
      most={1_000}
      isDirty={isDirty}
      fields={['connection', 'language', 'fields', 'site']}
      order={order}
    >
      {({ tried, problems, changed }) => (
        <>
          <Select
            label={t('feed.salesforce.account')}
            value={connection}
            allowDeselect={false}
            data={connections.map(({ gid, account }) => ({ value: gid, label: account }))}
            error={problems.connection ?? problem}
            onChange={(chosen) => {
              changed()
              setConnection(chosen ?? '')
              setLanguage(null)
              setFields([])
            }}
          />
          <div className={styles.pair}>
            <Select
              label={t('feed.salesforce.language')}
              placeholder={t(languages.isPending ? 'feed.salesforce.loading' : 'feed.salesforce.choose')}
              value={language}
              disabled={languages.isPending}
              data={choicesOf(languages.data?.choices)}
              error={
                tried && language === null
                  ? t('feed.salesforce.languageEmpty')
                  : (problems.language ?? languages.error?.message)
              }
              onChange={(chosen) => {
                changed()
                setLanguage(chosen)
              }}
            />
            <MultiSelect
              label={t('feed.salesforce.fields')}
              description={t('feed.salesforce.fieldsHint')}
              placeholder={
                fields.length > 0 ? '' : t(offered.isPending ? 'feed.salesforce.loading' : 'feed.salesforce.choose')
              }
              value={fields}
              disabled={offered.isPending}
              data={choicesOf(offered.data?.choices)}
              error={
                tried && fields.length === 0
                  ? t('feed.salesforce.fieldsEmpty')
                  : (problems.fields ?? listProblems(problems, 'fields')[0]?.[1] ?? offered.error?.message)
              }
              onChange={(chosen) => {
                changed()
                setFields(chosen)
              }}
            />
          </div>
          <TextField
            label={t('feed.salesforce.site')}
            description={t('feed.salesforce.siteHint')}
            placeholder="https://help.example.com/s/article"
            value={site}
            type="url"
            spellCheck={false}
            error={problems.site}
            onChange={(event) => {
              changed()
              setSite(event.currentTarget.value)
            }}
          />
        </>
      )}
    </FollowForm>
  )
}

const choicesOf = (choices: readonly { id: string; label: string }[] = []) =>
  choices.map(({ id, label }) => ({ value: id, label }))
