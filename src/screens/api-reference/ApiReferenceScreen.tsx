import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { failureText } from '../../api/failure'
import { type ApiDescription, type ApiOperation, apiDescriptionQuery } from '../../api/publicApi'
import { Card } from '../../ui/Card'
import { CopyField } from '../../ui/CopyField'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { PasswordField } from '../../ui/PasswordField'
import { TextField } from '../../ui/TextField'
import styles from './apiReference.module.css'
import { OperationCard } from './OperationCard'
import { Words } from './Words'

/** /projects/:pgid/settings/project/api-keys/reference: what the public API can do, to read and to try. */
export function ApiReferenceScreen() {
  const { t } = useTranslation('apiReference')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const { data, error, refetch } = useQuery(apiDescriptionQuery)
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={<Link to={`/projects/${pgid}/settings/project/api-keys`}>{t('keys')}</Link>}
      />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : data ? (
        <Reference description={data} />
      ) : (
        <LoadingState rows={6} height={56} />
      )}
    </>
  )
}

function Reference({ description }: { description: ApiDescription }) {
  const { t } = useTranslation('apiReference')
  const { t: common } = useTranslation()
  const [words, setWords] = useState('')
  // in this page's memory alone
  const [key, setKey] = useState('')
  const server = description.servers[0]?.url ?? ''
  const shown = description.tags
    .map((tag) => ({ ...tag, operations: operationsOf(description, tag.name).filter((each) => fits(each, words)) }))
    .filter(({ operations }) => operations.length > 0)
  return (
    <div className={styles.stack}>
      <Card>
        <div className={styles.intro}>
          <Words text={description.info.description} />
          <div className={styles.find}>
            <CopyField label={t('server')} value={server} />
            <CopyField label={t('document')} value={`${server}/openapi.json`} />
          </div>
        </div>
      </Card>
      <div className={styles.find}>
        <TextField
          label={t('search')}
          placeholder={t('searchHint')}
          leftSection={<Search size={14} />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
        <PasswordField
          label={t('key')}
          revealLabel={common('actions.showPassword')}
          placeholder={t('keyHint')}
          autoComplete="off"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
      </div>
      {shown.length === 0 && (
        <EmptyState icon={<Search />} title={t('nothing')} message={t('nothingHint', { words })} />
      )}
      {shown.map(({ name, description: about, operations }) => (
        <section key={name} className={styles.tag}>
          <h2>{name}</h2>
          <p className={styles.about}>{about}</p>
          {operations.map(({ method, path, operation }) => (
            <OperationCard key={operation.operationId} {...{ method, path, operation, server, apiKey: key.trim() }} />
          ))}
        </section>
      ))}
    </div>
  )
}

interface Listed {
  method: string
  path: string
  operation: ApiOperation
}

const operationsOf = ({ paths }: ApiDescription, tag: string): Listed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  )

function fits({ method, path, operation }: Listed, words: string): boolean {
  const text = `${method} ${path} ${operation.operationId} ${operation.summary}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
