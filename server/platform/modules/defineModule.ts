import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context'
import type { Database } from '../database/tables'
import type { EffectHandler } from '../effects/handleEffect'
import type { Consumer } from '../events/createConsumers'
import type { HandledJob } from '../jobs/defineJob'
import type { Sweep } from '../jobs/sweeps'

/** What a module consists of while the server runs; what it doesn't have is left out. */
export interface ModuleParts<Provided> {
  /** what modules that need this one are given */
  provides?: Provided
  /** registers its routes, once all modules are made */
  routes?: (app: FastifyInstance) => void
  jobs?: readonly HandledJob[]
  sweeps?: readonly Sweep[]
  /** what follows from events: its own, and those of modules that it needs */
  consumers?: readonly Consumer[]
  /** what handles calls of blocks */
  effects?: readonly EffectHandler[]
  /** once the server listens: goes on with what a process before this one left */
  open?: () => Promise<unknown>
  /** when a stop begins: cuts what is under way, which goes on at the next start */
  stop?: () => void
  /** once no job is under way any more */
  close?: () => Promise<unknown>
}

/** A module of whatever kind: what the composition works with. */
export interface AnyModule {
  readonly name: string
  readonly purpose: string
  readonly needs: Readonly<Record<string, AnyModule>>
  readonly tables: readonly (keyof Database)[]
  // only the module itself knows what it is given: the composition hands it what `needs` says
  create(context: ServerContext, given: never): ModuleParts<unknown>
}

export interface Module<Provided, Needs extends Record<string, AnyModule>> extends AnyModule {
  readonly needs: Needs
  create(context: ServerContext, given: GivenBy<Needs>): ModuleParts<Provided>
}

/** What a module provides. */
export type ProvidedBy<Of extends AnyModule> =
  ReturnType<Of['create']> extends ModuleParts<infer Provided> ? Provided : never
/** What the needs of a module provide, by the same names. */
export type GivenBy<Needs extends Record<string, AnyModule>> = { [Name in keyof Needs]: ProvidedBy<Needs[Name]> }

/**
 * Declares a module of the server, in its `module.ts`; server/modules.ts lists them.
 * @param name of its folder
 * @param purpose what it is there for, in a line: server/README.md shows it
 * @param needs the modules that it may import, by name
 * @param tables those whose rows it owns
 * @param create makes its parts, once for a process, from the context and what its needs provide
 */
export function defineModule<Provided, Needs extends Record<string, AnyModule>>(
  module: Module<Provided, Needs>,
): Module<Provided, Needs> {
  return module
}
