import { expect, test } from 'vitest'
import { Role } from '../../../access/roles'
import { keepAnOwner, refuseForeignOwner } from './roleRules'

const { OWNER, ADMIN, EDITOR } = Role

test('owners alone grant and take the role of an owner', () => {
  expect(() => refuseForeignOwner([OWNER], [EDITOR], [OWNER])).not.toThrow()
  expect(() => refuseForeignOwner([OWNER], [OWNER], [EDITOR])).not.toThrow()
  expect(() => refuseForeignOwner([ADMIN], [EDITOR], [OWNER])).toThrow('Only owners')
  expect(() => refuseForeignOwner([ADMIN], [OWNER], [EDITOR])).toThrow('Only owners')
})

test('others may change what does not concern that role, of an owner too', () => {
  expect(() => refuseForeignOwner([ADMIN], [EDITOR], [ADMIN])).not.toThrow()
  expect(() => refuseForeignOwner([ADMIN], [OWNER], [OWNER, EDITOR])).not.toThrow()
})

test('a project keeps an owner', () => {
  const ada = { gid: 'ada', roles: [OWNER] }
  const bob = { gid: 'bob', roles: [ADMIN] }
  expect(() => keepAnOwner([ada, bob], 'ada', [ADMIN])).toThrow('needs an owner')
  expect(() => keepAnOwner([ada, bob], 'bob', [])).not.toThrow()
  expect(() => keepAnOwner([ada, { ...bob, roles: [OWNER] }], 'ada', [])).not.toThrow()
  expect(() => keepAnOwner([ada, bob], 'ada', [OWNER, ADMIN])).not.toThrow()
})
