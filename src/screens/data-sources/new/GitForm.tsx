import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { secretsQuery, useSecretCreation } from '../../../api/secrets'
import { SecretForm } from '../../../text/SecretForm'
import { Modal } from '../../../ui/Modal'
import { Select } from '../../../ui/Select'
import { TextField } from '../../../ui/TextField'
import { FollowForm } from './FollowForm'
import type { NewSourceProps } from './form'
import styles from './new-source.module.css'

const NONE = ''
/** What no secret can be called. */
const NEW = '+'

/** The text files of a Git repository: its address, a branch, a folder, and the secret that lets one in. */
export function GitForm(props: NewSourceProps) {
  const { t } = useTranslation('newSource')
  const { pgid } = props.place
  const [url, setUrl] = useState('')
  const [branch, setBranch] = useState('')
  const [folder, setFolder] = useState('')
  const [secret, setSecret] = useState(NONE)
  const [making, setMaking] = useState(false)
  const { data: secrets, error } = useQuery(secretsQuery(pgid))
  const create = useSecretCreation(pgid)
  const isDirty = url.trim() !== ''
  const order = isDirty
    ? {
        ...{ kind: 'git' as const, url: url.trim(), branch: branch.trim(), folder: folder.trim() },
        ...(secret !== NONE && { secret }),
      }
    : null
  return (
    <>
      <FollowForm
        {...props}
        kind="git"
        most={1_000}
        isDirty={isDirty}
        fields={['url', 'branch', 'folder', 'secret']}
        order={order}
      >
        {({ tried, problems, changed }) => (
          <>
            <TextField
              label={t('feed.git.address')}
              description={t('feed.git.addressHint')}
              placeholder="https://github.com/acme/docs"
              value={url}
              type="url"
              spellCheck={false}
              error={tried && !isDirty ? t('links.addressesEmpty') : problems.url}
              onChange={(event) => {
                changed()
                setUrl(event.currentTarget.value)
              }}
            />
            <div className={styles.pair}>
              <TextField
                label={t('feed.git.branch')}
                description={t('feed.git.branchHint')}
                value={branch}
                spellCheck={false}
                error={problems.branch}
                onChange={(event) => {
                  changed()
                  setBranch(event.currentTarget.value)
                }}
              />
              <TextField
                label={t('feed.git.folder')}
                description={t('feed.git.folderHint')}
                value={folder}
                spellCheck={false}
                error={problems.folder}
                onChange={(event) => {
                  changed()
                  setFolder(event.currentTarget.value)
                }}
              />
            </div>
            <Select
              label={t('feed.git.token')}
              description={t('feed.git.tokenHint')}
              value={secret}
              allowDeselect={false}
              data={[
                { value: NONE, label: t('feed.git.noToken') },
                ...(secrets ?? []).map(({ name }) => ({ value: name, label: name })),
                { value: NEW, label: t('feed.git.newToken') },
              ]}
              error={problems.secret ?? error?.message}
              onChange={(chosen) => {
                changed()
                if (chosen === NEW) setMaking(true)
                else setSecret(chosen ?? NONE)
              }}
            />
          </>
        )}
      </FollowForm>
      <Modal opened={making} onClose={() => setMaking(false)} title={t('feed.git.tokenTitle')}>
        <SecretForm
          inDialog
          create={create}
          onMade={(name) => {
            setSecret(name)
            setMaking(false)
          }}
          onCancel={() => setMaking(false)}
        />
      </Modal>
    </>
  )
}
