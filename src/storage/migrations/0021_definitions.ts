/** Profiles of agents and rosters of teams, with the public definitions that some of them came from. */
export const definitions = [
  `CREATE TABLE agent_profiles (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    revision INTEGER NOT NULL,
    source_adapter TEXT,
    source_author TEXT,
    source_tag TEXT,
    json TEXT NOT NULL
  )`,
  `CREATE UNIQUE INDEX agent_profiles_source ON agent_profiles (source_author, source_tag)
    WHERE source_author IS NOT NULL`,
  `CREATE INDEX agent_profiles_adapter ON agent_profiles (source_adapter) WHERE source_adapter IS NOT NULL`,
  `CREATE TABLE team_rosters (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    revision INTEGER NOT NULL,
    source_adapter TEXT NOT NULL,
    source_author TEXT NOT NULL,
    source_tag TEXT NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (source_author, source_tag)
  )`,
  `CREATE INDEX team_rosters_adapter ON team_rosters (source_adapter)`
]
