import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { type ReactNode, type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import * as contract from '../../../server/contracts/inbox'
import { callRoute } from '../../api/client'
import { fieldOr } from '../../api/failure'
import { refreshLists, refreshSetup } from '../../api/inbox'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Modal } from '../../ui/Modal'
import { MultiSelect } from '../../ui/MultiSelect'
import { notify } from '../../ui/notify'
import { Segmented } from '../../ui/Segmented'
import { Select } from '../../ui/Select'
import { TextArea } from '../../ui/TextArea'
import { TextField } from '../../ui/TextField'
import styles from './inbox.module.css'
import { useInboxPlace } from './inboxPlace'
import { LabelDot } from './LabelDot'
import { OfficePart } from './OfficePart'
import { replyVariables } from './savedReplies'

type Part = 'replies' | 'labels' | 'teams' | 'office'

/** What all conversations share: saved replies, labels, teams, office hours. */
export function SetupDialog({ setup, onClose }: { setup: contract.InboxSetup; onClose: () => void }) {
  const { t } = useTranslation('inbox')
  const [part, setPart] = useState<Part>('replies')
  return (
    <Modal opened onClose={onClose} title={t('setup.title')} size="lg">
      <div className={styles.setup}>
        <Segmented
          label={t('setup.part')}
          value={part}
          options={[
            { value: 'replies', label: t('setup.replies') },
            { value: 'labels', label: t('labels') },
            { value: 'teams', label: t('teams') },
            { value: 'office', label: t('setup.office') },
          ]}
          onChange={setPart}
        />
        {part === 'replies' ? (
          <SavedReplies setup={setup} />
        ) : part === 'labels' ? (
          <Labels setup={setup} />
        ) : part === 'teams' ? (
          <Teams setup={setup} />
        ) : (
          <OfficePart setup={setup} />
        )}
      </div>
    </Modal>
  )
}

/** A call that changes what all share. */
function useSetupCall<Given>(call: (given: Given, pgid: string) => Promise<unknown>, onDone?: () => void) {
  const { t } = useTranslation('inbox')
  const { pgid } = useInboxPlace()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (given: Given) => call(given, pgid),
    onSuccess: async () => {
      onDone?.()
      await refreshSetup(client, pgid)
      void refreshLists(client, pgid)
    },
    onError: (error) => notify.error(fieldOr(error, 'name', fieldOr(error, 'shortcut', t('failed')))),
  })
}

function SavedReplies({ setup }: { setup: contract.InboxSetup }) {
  const { t } = useTranslation('inbox')
  const [shortcut, setShortcut] = useState('')
  const [body, setBody] = useState('')
  const add = useSetupCall(
    (given: { shortcut: string; body: string }, pgid) =>
      callRoute(contract.addSavedReply, { params: { pgid }, body: given }),
    () => {
      setShortcut('')
      setBody('')
    },
  )
  const remove = useSetupCall((gid: string, pgid) => callRoute(contract.deleteSavedReply, { params: { pgid, gid } }))
  return (
    <>
      <Entries
        empty={t('setup.noReplies')}
        entries={setup.saved_replies.map((reply) => ({
          gid: reply.gid,
          name: `/${reply.shortcut}`,
          more: reply.body,
        }))}
        onDelete={remove.mutate}
      />
      <Form title={t('setup.newReply')} busy={add.isPending} onSubmit={() => add.mutate({ shortcut, body })}>
        <TextField
          label={t('setup.shortcut')}
          description={t('setup.shortcutHelp')}
          value={shortcut}
          maxLength={contract.SHORTCUT_CAP}
          onChange={(event) => setShortcut(event.currentTarget.value)}
        />
        <TextArea
          label={t('setup.body')}
          description={t('setup.bodyHelp', { variables: replyVariables.map((name) => `{{${name}}}`).join(', ') })}
          value={body}
          onChange={(event) => setBody(event.currentTarget.value)}
        />
      </Form>
    </>
  )
}

function Labels({ setup }: { setup: contract.InboxSetup }) {
  const { t } = useTranslation('inbox')
  const [name, setName] = useState('')
  const [colour, setColour] = useState<contract.InboxLabel['colour']>('gray')
  const add = useSetupCall(
    (given: Omit<contract.InboxLabel, 'gid'>, pgid) => callRoute(contract.addLabel, { params: { pgid }, body: given }),
    () => setName(''),
  )
  const remove = useSetupCall((gid: string, pgid) => callRoute(contract.deleteLabel, { params: { pgid, gid } }))
  return (
    <>
      <Entries
        empty={t('setup.noLabels')}
        entries={setup.labels.map((label) => ({
          gid: label.gid,
          name: label.name,
          icon: <LabelDot colour={label.colour} />,
        }))}
        onDelete={remove.mutate}
      />
      <Form title={t('setup.newLabel')} busy={add.isPending} onSubmit={() => add.mutate({ name, colour })}>
        <TextField
          label={t('setup.name')}
          value={name}
          maxLength={contract.LABEL_CAP}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={t('setup.colour')}
          data={contract.labelColours.map((value) => ({ value, label: t(`colours.${value}`) }))}
          value={colour}
          allowDeselect={false}
          onChange={(value) => setColour(contract.labelColours.find((one) => one === value) ?? 'gray')}
        />
      </Form>
    </>
  )
}

const assignments = ['manual', 'round_robin', 'least_busy'] as const

function Teams({ setup }: { setup: contract.InboxSetup }) {
  const { t } = useTranslation('inbox')
  const [name, setName] = useState('')
  const [assignment, setAssignment] = useState<contract.InboxTeam['assignment']>('manual')
  const [members, setMembers] = useState<string[]>([])
  const add = useSetupCall(
    (given: Omit<contract.InboxTeam, 'gid' | 'office'>, pgid) =>
      callRoute(contract.addTeam, { params: { pgid }, body: given }),
    () => {
      setName('')
      setMembers([])
    },
  )
  const remove = useSetupCall((gid: string, pgid) => callRoute(contract.deleteTeam, { params: { pgid, gid } }))
  const nameOf = (gid: string) => setup.members.find((member) => member.gid === gid)?.name ?? t('formerMember')
  return (
    <>
      <Entries
        empty={t('setup.noTeams')}
        entries={setup.teams.map((team) => ({
          gid: team.gid,
          name: team.name,
          more: [t(`assignment.${team.assignment}`), team.members.map(nameOf).join(', ')].filter(Boolean).join(' · '),
        }))}
        onDelete={remove.mutate}
      />
      <Form title={t('setup.newTeam')} busy={add.isPending} onSubmit={() => add.mutate({ name, assignment, members })}>
        <TextField
          label={t('setup.name')}
          description={t('setup.teamHelp')}
          value={name}
          maxLength={contract.TEAM_CAP}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={t('setup.assignment')}
          data={assignments.map((value) => ({ value, label: t(`assignment.${value}`) }))}
          value={assignment}
          allowDeselect={false}
          onChange={(value) => setAssignment(assignments.find((one) => one === value) ?? 'manual')}
        />
        <MultiSelect
          label={t('setup.members')}
          data={setup.members.map(({ gid: value, name: label }) => ({ value, label }))}
          value={members}
          onChange={setMembers}
        />
      </Form>
    </>
  )
}

interface Entry {
  gid: string
  name: string
  more?: string
  icon?: ReactNode
}

function Entries({
  entries,
  empty,
  onDelete,
}: {
  entries: readonly Entry[]
  empty: string
  onDelete: (gid: string) => void
}) {
  const { t } = useTranslation('inbox')
  if (entries.length === 0) return <p className={styles.muted}>{empty}</p>
  return (
    <ul className={styles.entries}>
      {entries.map(({ gid, name, more, icon }) => (
        <li key={gid}>
          {icon}
          <strong>{name}</strong>
          <span>{more}</span>
          <IconButton
            size="s"
            label={t('setup.delete', { name })}
            icon={<Trash2 size={14} />}
            onClick={() => onDelete(gid)}
          />
        </li>
      ))}
    </ul>
  )
}

function Form(props: { title: string; busy: boolean; onSubmit: () => void; children: ReactNode }) {
  const { t } = useTranslation('inbox')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    props.onSubmit()
  }
  return (
    <form className={styles.setupForm} onSubmit={submit} aria-label={props.title}>
      <h3>{props.title}</h3>
      {props.children}
      <Button type="submit" design="primary" loading={props.busy}>
        {t('setup.add')}
      </Button>
    </form>
  )
}
