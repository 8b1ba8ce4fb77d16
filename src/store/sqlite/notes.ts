// What is kept with a run and is no part of its journal, on SQLite.
import type { NoteStore } from '../store.ts'
import type { Database } from './database.ts'

export function notes(db: Database): NoteStore {
  return {
    async putNote(run, name, value) {
      if (value === null) db.sql('delete from note where run = ? and name = ?').run(run, name)
      else
        db.sql('insert or replace into note (run, name, data) values (?, ?, ?)').run(run, name, JSON.stringify(value))
    },
  }
}
